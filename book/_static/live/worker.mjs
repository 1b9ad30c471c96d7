// Python in a worker: the first message boots it, every other one is a cell to run.

let session;

self.onmessage = async ({ data }) => {
  try {
    session ??= boot(data);
    const { python, run } = await session;
    if (data.source === undefined) return postMessage({ ready: true });
    const imports = data.source.replaceAll("IPython", "session"); // which stands in for it
    await python.loadPackagesFromImports(imports, { messageCallback() {}, errorCallback: console.warn });
    postMessage({ done: true, error: run(data.source, (kind, text) => postMessage({ kind, text })) ?? null });
  } catch (error) {
    postMessage({ broken: String(error) });
  }
};

async function boot({ pyodide, wheel, records, modules, interrupt, language }) {
  const wheelBytes = bytes(wheel);
  const texts = [records, ...modules].map(bytes);
  const { loadPyodide } = await import(`${pyodide}pyodide.mjs`);
  const python = await loadPyodide({
    indexURL: pyodide,
    packages: ["numpy"],
    env: {
      HOME: "/home",
      AUTOGRAD_CORE_LANGUAGE: language,
      AUTOGRAD_CORE_RECORDS: "/home/records.json",
      MPLBACKEND: "module://figures",
    },
  });
  if (interrupt) python.setInterruptBuffer(interrupt);
  const library = python.runPython("import site; site.getsitepackages()[0]");
  python.unpackArchive(await wheelBytes, "wheel", { extractDir: library });
  python.FS.mkdirTree("/home");
  const places = ["/home/records.json", ...modules.map((url) => `${library}/${new URL(url).pathname.split("/").pop()}`)];
  for (const [i, place] of places.entries()) python.FS.writeFile(place, new Uint8Array(await texts[i]));
  return { python, run: python.pyimport("session").run };
}

async function bytes(url) {
  const named = url.endsWith(".whl"); // after what it holds, so a copy is never stale
  const response = await fetch(url, { cache: named ? "default" : "no-cache" });
  if (!response.ok) throw new Error(`${response.status} ${url}`);
  return response.arrayBuffer();
}
