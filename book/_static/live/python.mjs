// The Python of this page: a worker that starts when it is first needed, runs one cell at a time and can be stopped.

const here = import.meta.url;
let place, worker, ready, interrupt, pending;
let asking = new AbortController(); // ends a request that is on its way when Python is stopped

export class Stopped extends Error {} // and all values are lost
export class Interrupted extends Error {} // and they are kept

// The host that Python is loaded from.
export async function host() {
  return new URL((await settings()).pyodide).host;
}

// Resolves when cells can run; rejects where Python cannot be loaded.
export function start() {
  ready ??= boot();
  return ready;
}

// Runs a cell, hands on what it shows, and resolves to the name of what it raised or to null.
export function run(source, show) {
  if (interrupt) interrupt[0] = 0;
  return ask({ source }, show);
}

// Interrupts the cell as Ctrl-C does, where the server allows it. Elsewhere Python ends, and all values with it.
export function stop() {
  if (interrupt && pending?.show) interrupt[0] = 2;
  else end(new Stopped());
}

async function boot() {
  try {
    const given = await settings();
    interrupt = globalThis.crossOriginIsolated ? new Uint8Array(new SharedArrayBuffer(1)) : null;
    worker = new Worker(new URL("worker.mjs", here), { type: "module" });
    worker.onmessage = ({ data }) => {
      if (data.kind) pending?.show(data);
      else if (data.broken) end(new Error(data.broken));
      else if (data.error === "KeyboardInterrupt") settle("reject", new Interrupted());
      else settle("resolve", data.error);
    };
    worker.onerror = (event) => end(new Error(event.message));
    const language = document.documentElement.lang.replaceAll("-", "_");
    await ask({ ...given, needed: mentioned(Object.keys(given.parts)), interrupt, language });
  } catch (error) {
    ready = null;
    throw error;
  }
}

// What place.json says; all that stands in it are addresses.
async function settings() {
  if (!place) {
    const response = await fetch(new URL("place.json", here), { cache: "no-cache", signal: asking.signal });
    const full = (_, value) => (typeof value === "string" ? new URL(value, here).href : value);
    place = JSON.parse(await response.text(), full);
  }
  return place;
}

// The modules, of those that come apart, that the cells of the page speak of: `nn` for `autograd_core.nn`.
function mentioned(modules) {
  const cells = [...document.querySelectorAll("div.cell.live .cell_input")];
  const words = new Set(cells.flatMap((cell) => cell.textContent.match(/\w+/g) ?? []));
  return modules.filter((module) => words.has(module.split(".").pop()));
}

function ask(message, show) {
  return new Promise((resolve, reject) => {
    pending = { resolve, reject, show };
    worker.postMessage(message);
  });
}

function end(error) {
  worker?.terminate();
  worker = ready = null;
  asking.abort(error);
  asking = new AbortController();
  settle("reject", error);
}

function settle(outcome, value) {
  const settled = pending;
  pending = null;
  settled?.[outcome](value);
}
