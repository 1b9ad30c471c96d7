// Moves the seed by its sliders, or by dragging the tip of v, among seeds whose products the engine has computed.

function render({ model, el }) {
  const seeds = model.get("seeds");
  const scale = model.get("scale");
  const inputs = el.querySelectorAll("input");
  const picture = el.querySelector("svg");
  const vector = el.querySelector(".ac-v");
  const handle = vector.querySelector("circle");
  const say = el.querySelector(".ac-say");

  function show() {
    const [v1, v2] = model.get("v");
    const at = `${v1 * scale},${-v2 * scale}`;
    vector.querySelector("path").setAttribute("d", `M0,0 L${at}`);
    vector.querySelector(".ac-tip").setAttribute("transform", `translate(${at})`);
    [inputs[0].value, inputs[1].value] = [v1, v2];
    const [row, column] = [seeds.indexOf(v1), seeds.indexOf(v2)];
    vector.querySelector("text").setAttribute("transform", model.get("letters")[row][column]);
    say.textContent = model.get("sentences")[row][column];
    picture.setAttribute("aria-label", say.textContent);
  }

  function choose(v) {
    const nearest = (x) => seeds.reduce((best, s) => (Math.abs(s - x) < Math.abs(best - x) ? s : best));
    model.set("v", v.map(nearest));
    model.save_changes();
  }

  for (const input of inputs) {
    input.addEventListener("input", () => choose([...inputs].map((i) => Number(i.value))));
  }
  handle.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
  });
  handle.addEventListener("pointermove", (event) => handle.hasPointerCapture(event.pointerId) && drag(event));

  function drag(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(vector.getScreenCTM().inverse());
    choose([at.x / scale, -at.y / scale]);
  }

  model.on("change:v", show);
  el.classList.add("ac-alive");
  show();
}

export default { render };
