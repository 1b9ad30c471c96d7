// Runs lines by their buttons, among states that the engine has computed, and keeps a table of what was run.

function render({ model, el }) {
  const states = model.get("states");
  const words = model.get("words");
  const table = el.querySelector("tbody");
  const say = el.querySelector(".ac-say");
  let pressed = [...model.get("pressed")];

  const fill = (text, values) => text.replace(/{(\w+)}/g, (_, key) => values[key]);

  function renamed(state) {
    return Object.fromEntries(Object.entries(state).map(([key, value]) => [`new_${key}`, value]));
  }

  function addRow(line, cells) {
    const row = table.insertRow();
    row.innerHTML = `<th scope="row">${line}</th>`;
    for (const text of cells) row.insertCell().textContent = text;
  }

  function show() {
    let state = states[0];
    say.textContent = model.get("nothing");
    table.replaceChildren();
    for (const name of pressed) {
      const [number, kind] = state.next[name];
      const values = { ...state, ...renamed(states[number]) };
      const [computed, said] = words[kind].map((text) => fill(text, values));
      state = states[number];
      addRow(model.get("lines")[name], [computed, state.slot, state.w]);
      say.textContent = said;
    }
    for (const box of el.querySelectorAll("[data-of]")) {
      box.dataset.holds = box.querySelector("dd").textContent = state[box.dataset.of];
    }
    for (const button of el.querySelectorAll("button")) {
      const possible = button.value in state.next || (!(button.value in model.get("lines")) && pressed.length);
      button.setAttribute("aria-disabled", !possible);
    }
  }

  function press(name) {
    if (name === "restart") pressed = [];
    else if (name === "back") pressed.pop();
    else if (pressed.length < model.get("longest")) pressed.push(name);
    else return void (say.textContent = model.get("full"));
    show();
  }

  el.addEventListener("click", (event) => event.target.matches("button") && press(event.target.value));
  el.classList.add("ac-alive");
  show();
}

export default { render };
