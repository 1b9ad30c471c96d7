// What ipywidgets leaves out: the handle of a slider gets the text of its label as its name, and the words a live region.
// They may come later than this script, and those of others be there before it, so it looks for them for five seconds.

function nameSliders(tries) {
  for (const slider of document.querySelectorAll(".ac-slider")) {
    slider.querySelector("[role=slider]")?.setAttribute("aria-label", slider.querySelector("label").textContent);
  }
  for (const words of document.querySelectorAll(".ac-words")) words.setAttribute("aria-live", "polite");
  if (tries > 0) setTimeout(nameSliders, 200, tries - 1);
}

nameSliders(25);
