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

async function boot({ pyodide, library, parts, needed, records, modules, interrupt, language }) {
  const first = [...new Set([library, ...needed.map((name) => parts[name])])];
  const archives = first.map(bytes);
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
  const packages = python.runPython("import site; site.getsitepackages()[0]");
  const unpack = (archive) => python.unpackArchive(archive, "bztar", { extractDir: packages });
  for (const archive of archives) unpack(await archive);
  python.FS.mkdirTree("/home");
  const places = ["/home/records.json", ...modules.map((url) => `${packages}/${new URL(url).pathname.split("/").pop()}`)];
  for (const [i, place] of places.entries()) python.FS.writeFile(place, new Uint8Array(await texts[i]));
  const waiting = Object.fromEntries(Object.entries(parts).filter(([, url]) => !first.includes(url)));
  python.pyimport("parts").install(python.toPy(waiting), (url) => unpack(bytesNow(url)));
  return { python, run: python.pyimport("session").run };
}

async function bytes(url) {
  const named = url.endsWith(".bz2"); // after what it holds, so a copy is never stale
  const response = await fetch(url, { cache: named ? "default" : "no-cache" });
  if (!response.ok) throw new Error(`${response.status} ${url}`);
  return response.arrayBuffer();
}

// For an import in a cell, which cannot go on without.
function bytesNow(url) {
  const request = new XMLHttpRequest();
  request.open("GET", url, false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`${request.status} ${url}`);
  return request.response;
}
