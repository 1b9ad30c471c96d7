// What the reader chose, kept by this browser and sent nowhere: shelves ("predictions", "tabs") of named values.
// A browser may refuse to keep anything; then a choice lasts as long as the page.

const KEY = "autograd-book";
let refused; // what the browser did not keep

export function kept() {
  if (refused) return refused;
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

export function recall(shelf, name) {
  return kept()[shelf]?.[name];
}

export function keep(shelf, name, value) {
  const all = kept();
  replace({ ...all, [shelf]: { ...all[shelf], [name]: value } });
}

export function replace(all) {
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
    refused = undefined;
  } catch {
    refused = all;
  }
}
