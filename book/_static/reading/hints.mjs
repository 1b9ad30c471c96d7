// Hints in two stages: the second opens when the first has been open. The browser's own search, which unfolds what it
// finds, reaches both.

export function hints(words) {
  for (const second of document.querySelectorAll("details.second-hint")) {
    const first = second.previousElementSibling;
    const summary = second.querySelector("summary");
    const note = document.createElement("span");
    note.className = "locked";
    note.textContent = ` ${words.locked}`;
    summary.querySelector(".sd-summary-text").append(note);
    summary.setAttribute("aria-disabled", "true");

    const wait = (event) => event.preventDefault();
    const unlock = () => {
      if (!first.open && !second.open) return;
      note.remove();
      summary.removeAttribute("aria-disabled");
      summary.removeEventListener("click", wait);
    };
    summary.addEventListener("click", wait);
    first.addEventListener("toggle", unlock);
    second.addEventListener("toggle", unlock);
  }
}
