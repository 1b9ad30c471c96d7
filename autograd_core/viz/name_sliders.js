// ipywidgets gives the handle of a slider no accessible name: lend it the text of its label, once it is there.

function nameSliders(tries) {
  const sliders = [...document.querySelectorAll(".ac-slider")];
  for (const slider of sliders) {
    slider.querySelector("[role=slider]")?.setAttribute("aria-label", slider.querySelector("label").textContent);
  }
  if (tries > 0 && !sliders.length) setTimeout(nameSliders, 200, tries - 1);
}

nameSliders(25);
