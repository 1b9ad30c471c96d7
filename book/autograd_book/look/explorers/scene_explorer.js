// Shows one of the states that the engine has computed: radio buttons choose the scene, the slider what is marked in it.

function render({ model, el }) {
  const slider = el.querySelector("input[type=range]");
  const picture = el.querySelector("svg");
  const [scene, marks] = picture.children;
  const say = el.querySelector(".ac-say");
  const [left, right] = model.get("ends");

  function show() {
    const chosen = [...el.querySelectorAll("input:checked")].map((radio) => radio.value).join("-");
    const state = model.get("scenes")[chosen];
    const stop = Number(slider.value);
    scene.innerHTML = state.scene;
    marks.innerHTML = state.marks[stop];
    say.textContent = state.sentences[stop];
    picture.setAttribute("aria-label", say.textContent);
    slider.setAttribute("aria-valuetext", model.get("names")[stop]);
  }

  function drag(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
    slider.value = ((at.x - left) / (right - left)) * slider.max;
    show();
  }

  picture.addEventListener("pointerdown", (event) => {
    picture.setPointerCapture(event.pointerId);
    drag(event);
  });
  picture.addEventListener("pointermove", (event) => picture.hasPointerCapture(event.pointerId) && drag(event));
  el.addEventListener("input", show);
  el.classList.add("ac-alive");
  show();
}

export default { render };
