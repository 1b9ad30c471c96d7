// Saves what the reader chose to a file, reads it back, and clears it.

import { kept, replace } from "./store.mjs";

const FORMAT = "autograd-book 1";

export function panel(words) {
  const box = document.querySelector(".admonition.kept");
  const bar = document.createElement("p");
  bar.className = "kept-buttons";
  const told = document.createElement("p");
  told.setAttribute("role", "status");
  box.append(bar, told);

  const file = document.createElement("input");
  file.type = "file";
  file.accept = "application/json";
  file.hidden = true;
  bar.append(file);
  for (const [name, act] of [["save", save], ["load", () => file.click()], ["clear", clear]]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = words[name];
    button.addEventListener("click", act);
    bar.append(button);
  }

  function tell(sentence) {
    told.textContent = sentence.replace("{number}", Object.keys(kept().predictions ?? {}).length);
    document.dispatchEvent(new Event("kept-elsewhere"));
  }

  function save() {
    const text = JSON.stringify({ format: FORMAT, kept: kept() }, null, 2);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = words.file;
    link.click();
    URL.revokeObjectURL(link.href);
    tell(words.saved);
  }

  async function load() {
    const found = parse(await file.files[0].text());
    file.value = "";
    if (found) replace(found);
    tell(found ? words.loaded : words.refused);
  }

  function clear() {
    replace({});
    tell(words.cleared);
  }

  file.addEventListener("change", load);
}

// What a file of ours holds; undefined for any other file.
function parse(text) {
  try {
    const { format, kept: found } = JSON.parse(text);
    const isObject = (value) => Object(value) === value;
    const wellFormed = format === FORMAT && isObject(found) && Object.values(found).every(isObject);
    return wellFormed ? found : undefined;
  } catch {
    return undefined;
  }
}
