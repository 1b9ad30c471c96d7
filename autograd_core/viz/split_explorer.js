// Moves the split by its slider, among states that the engine has computed.

function render({ model, el }) {
  const slider = el.querySelector("input");
  const figure = el.querySelector(".ac-figure");
  const say = el.querySelector(".ac-say");

  function show() {
    const state = model.get("states")[model.get("split") - 1];
    figure.innerHTML = state.picture;
    say.textContent = state.sentence;
    slider.setAttribute("aria-valuetext", state.sentence);
  }

  slider.addEventListener("input", () => {
    model.set("split", Number(slider.value));
    model.save_changes();
  });
  model.on("change:split", show);
  el.classList.add("ac-alive");
  show();
}

export default { render };
