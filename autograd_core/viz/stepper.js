// Steps through a picture that is already in the page. Marked elements show from step data-from until before data-to.
// `render` has anywidget's signature: the model holds "step"; `el` holds the figure.

function render({ model, el }) {
  const marked = el.querySelectorAll("[data-from]");
  const captions = [...el.querySelectorAll(".ac-steps li")].map((item) => item.innerHTML);
  const last = captions.length - 1;
  const say = el.querySelector(".ac-say");
  const count = el.querySelector(".ac-count");
  const [first, back, next] = el.querySelectorAll("button");

  function show() {
    const step = model.get("step");
    for (const part of marked) {
      const on = part.dataset.from <= step && step < part.dataset.to;
      part.setAttribute("display", on ? "inline" : "none");
    }
    say.innerHTML = captions[step];
    count.textContent = `${step + 1} / ${last + 1}`;
    first.ariaDisabled = back.ariaDisabled = String(step === 0);
    next.ariaDisabled = String(step === last);
  }

  function go(step) {
    model.set("step", Math.max(0, Math.min(last, step)));
    model.save_changes();
  }

  const keys = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };
  el.addEventListener("keydown", (event) => {
    if (!(event.key in keys) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    go(model.get("step") + keys[event.key]);
  });
  first.addEventListener("click", () => go(0));
  back.addEventListener("click", () => go(model.get("step") - 1));
  next.addEventListener("click", () => go(model.get("step") + 1));
  model.on("change:step", show);
  el.classList.add("ac-alive");
  show();
}

export default { render };
