// Tabs that stay in step from page to page. On one page sphinx-design does it: a tab that is chosen turns the others.

import { keep, recall } from "./store.mjs";

export function tabs(words) {
  const labels = [...document.querySelectorAll(".sd-tab-label[data-sync-id]")];
  const input = (label) => document.getElementById(label.htmlFor);

  for (const set of document.querySelectorAll(".sd-tab-set")) {
    set.setAttribute("role", "group");
    set.setAttribute("aria-label", words.group);
  }
  for (const label of labels) {
    input(label).addEventListener("change", () => keep("tabs", label.dataset.syncGroup, label.dataset.syncId));
  }

  function show() {
    for (const label of labels) {
      if (recall("tabs", label.dataset.syncGroup) === label.dataset.syncId) input(label).checked = true;
    }
  }
  document.addEventListener("kept-elsewhere", show);
  show();
}
