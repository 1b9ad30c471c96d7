// What ipywidgets leaves out: the handle of a slider gets the text of its label as its name, and the words a live region.

function nameSliders(tries) {
  const sliders = [...document.querySelectorAll(".ac-slider")];
  for (const slider of sliders) {
    slider.querySelector("[role=slider]")?.setAttribute("aria-label", slider.querySelector("label").textContent);
  }
  const words = [...document.querySelectorAll(".ac-words")];
  words.forEach((element) => element.setAttribute("aria-live", "polite"));
  if (tries > 0 && !words.length) setTimeout(nameSliders, 200, tries - 1);
}

nameSliders(25);
