// Shows one of the states that the engine has computed: the one that the controls name together.

function render({ model, el }) {
  const controls = [...el.querySelectorAll("input")];
  const figure = el.querySelector(".ac-figure");
  const say = el.querySelector(".ac-say");
  const chosen = (control) => (control.type === "checkbox" ? Number(control.checked) : control.value);

  function show() {
    const state = model.get("states")[controls.map(chosen).join("-")];
    figure.innerHTML = state.picture;
    say.textContent = state.sentence;
    for (const slider of el.querySelectorAll("input[type=range]")) slider.setAttribute("aria-valuetext", state.name);
  }

  el.addEventListener("input", show);
  el.classList.add("ac-alive");
  show();
}

export default { render };
