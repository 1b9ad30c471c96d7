// The part of a widget model that a page without a kernel needs.

function pageModel(state) {
  const listeners = [];
  return {
    get: (key) => state[key],
    set: (key, value) => { state[key] = value; },
    save_changes: () => listeners.forEach((listener) => listener()),
    on: (_, listener) => listeners.push(listener),
  };
}
