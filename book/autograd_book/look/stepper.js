// Steps through pictures that are already in the page. Marked elements show from step data-from until before data-to;
// on paper, those of class ac-rest.
// `render` has anywidget's signature: the model holds "step"; `el` holds the figure, or gets it from the model's "html".

const PACE = { least: 2000, word: 280 }; // milliseconds: time to read what a step says
const KEYS = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };

function render({ model, el }) {
  if (!el.firstElementChild) el.innerHTML = model.get("html");
  const [outer, ...inner] = el.querySelectorAll(".ac-stepper");
  const stops = [stepper(model, outer, model.get("linked"))];
  for (const part of inner) {
    stops.push(stepper(pageModel({ step: Number(part.dataset.start) }), part, model.get("linked")));
  }
  return () => stops.forEach((stop) => stop());
}

function stepper(model, el, linked) {
  const marked = el.querySelectorAll("[data-from]");
  const descriptions = el.querySelectorAll("desc");
  const captions = [...el.querySelectorAll(".ac-steps li")].map((item) => item.innerHTML);
  const last = captions.length - 1;
  const say = el.querySelector(".ac-say");
  const count = el.querySelector(".ac-count");
  const play = el.querySelector(".ac-play");
  const { first, back, next, last: end } = Object.fromEntries(
    [...el.querySelectorAll("[data-go]")].map((button) => [button.dataset.go, button]),
  );
  let timer = 0;

  const shows = (part, step) => part.dataset.from <= step && step < part.dataset.to;

  function show() {
    const step = model.get("step");
    for (const part of marked) part.setAttribute("display", shows(part, step) ? "inline" : "none");
    say.innerHTML = captions[step];
    for (const description of descriptions) description.textContent = say.textContent;
    count.textContent = count.dataset.text.replace("{step}", step + 1).replace("{steps}", last + 1);
    first.ariaDisabled = back.ariaDisabled = String(step === 0);
    next.ariaDisabled = end.ariaDisabled = String(step === last);
  }

  function go(step) {
    model.set("step", Math.max(0, Math.min(last, step)));
    model.save_changes();
    const link = `#microscope=${encodeURIComponent(address(el))}:${model.get("step") + 1}`;
    if (linked) history.replaceState(history.state, "", link);
  }

  function byHand(step) {
    pause();
    go(step);
  }

  function pause() {
    clearTimeout(timer);
    timer = 0;
    play.textContent = play.dataset.play;
  }

  function wait() {
    const words = say.textContent.split(/\s+/).length;
    timer = setTimeout(() => {
      if (!el.isConnected) return pause();
      go(model.get("step") + 1);
      if (model.get("step") < last) wait();
      else pause();
    }, Math.max(PACE.least, PACE.word * words));
  }

  function toggle() {
    if (timer) return pause();
    play.textContent = play.dataset.pause;
    if (model.get("step") === last) go(0);
    wait();
  }

  function follow() {
    if (!el.isConnected) return; // its cell has run again, and may be reset
    const link = /^#microscope=(.+):(\d+)$/.exec(decoded(location.hash));
    if (!link || link[1] !== address(el) || link[2] < 1 || link[2] > last + 1) return;
    pause();
    model.set("step", link[2] - 1);
    model.save_changes();
    for (let part = el.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
    el.scrollIntoView({ block: "nearest" });
  }

  function onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest(".narrow")) return; // keys scroll it
    const playing = event.key === " " && event.target === el;
    if (!playing && !(event.key in KEYS)) return;
    event.preventDefault();
    event.stopPropagation();
    if (playing) toggle();
    else byHand(model.get("step") + KEYS[event.key]);
  }

  first.addEventListener("click", () => byHand(0));
  back.addEventListener("click", () => byHand(model.get("step") - 1));
  next.addEventListener("click", () => byHand(model.get("step") + 1));
  end.addEventListener("click", () => byHand(last));
  play.addEventListener("click", toggle);
  el.addEventListener("keydown", onKey);
  model.on("change:step", show);
  for (const part of marked) part.classList.toggle("ac-rest", shows(part, Number(el.dataset.start)));
  el.classList.add("ac-alive");
  show();
  if (linked) {
    addEventListener("hashchange", follow);
    follow();
  }
  return () => {
    pause();
    removeEventListener("hashchange", follow);
  };
}

// What links call a stepper: its name, else its number among those of the page.
function address(el) {
  return el.dataset.name || String([...document.querySelectorAll(".ac-stepper")].indexOf(el) + 1);
}

function decoded(hash) {
  try {
    return decodeURIComponent(hash);
  } catch {
    return "";
  }
}

export default { render };
