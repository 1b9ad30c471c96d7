// Gives every live cell its buttons. All else is loaded by the first click, from `folder`.
function liveCells(folder, words) {
  let module;
  const cells = [...document.querySelectorAll("div.cell.live")].map((element) => {
    const input = element.querySelector(".cell_input");
    const block = input.querySelector("div[class^='highlight-']");
    const bar = document.createElement("div");
    const status = document.createElement("span");
    const buttons = Object.fromEntries(["run", "edit", "reset"].map((action) => [action, button(action)]));
    bar.className = "live-bar";
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", words.group);
    status.setAttribute("role", "status");
    buttons.reset.hidden = true;
    bar.append(...Object.values(buttons), status);
    input.after(bar);
    const cell = { element, block, bar, buttons, code: block.querySelector("pre"), editor: null, printed: null };

    cell.say = (sentence, values = {}) => {
      status.textContent = sentence.replace(/\{(\w+)\}/g, (_, name) => values[name]);
    };
    cell.refuses = (sentence, values) => {
      const fromTheBook = !cell.printed && element.querySelector(".cell_output > *");
      cell.say(fromTheBook ? `${sentence} ${words.printed}` : sentence, values);
    };
    cell.runs = (yes) => {
      buttons.run.textContent = yes ? words.stop : words.run;
      bar.classList.toggle("running", yes);
    };
    cell.changed = (yes) => {
      if (!yes && document.activeElement === buttons.reset) buttons.run.focus();
      buttons.reset.hidden = !yes;
    };
    return cell;

    function button(action) {
      const made = document.createElement("button");
      made.type = "button";
      made.textContent = words[action];
      made.addEventListener("click", () => press(action, cell));
      return made;
    }
  });

  async function press(action, cell) {
    if (location.protocol === "file:") return cell.refuses(words.file);
    try {
      module ??= await import(`${folder}cells.mjs`);
      await module.press(action, cell, cells, words);
    } catch (error) {
      cell.refuses(words.broken, { error: error.message });
    }
  }
}
