// What the buttons of the live cells do. Loaded by the first click.

import { edit, leave, textOf } from "./editing.mjs";
import { add } from "./output.mjs";
import * as python from "./python.mjs";

const ran = new Map(); // from a cell to its text when it last ran in this Python
let running;

export async function press(action, cell, cells, words) {
  if (action === "edit") await startEditing(cell, cells, words);
  else if (action === "reset" && running === cell) cell.say(words.itself);
  else if (action === "reset") reset(cell, words);
  else if (!running) await runUpTo(cell, cells, words);
  else if (running === cell) python.stop();
  else cell.say(words.busy);
}

async function startEditing(cell, cells, words) {
  await edit(cell, words, () => press("run", cell, cells, words));
  cell.changed(true);
  python.start().catch(() => {}); // it is there when the reader is done; if it fails, running tells why
}

async function runUpTo(cell, cells, words) {
  running = cell;
  cell.runs(true);
  try {
    cell.say(words.loading, { host: await python.host() });
    await python.start();
    const due = cells.slice(0, cells.indexOf(cell)).filter((above) => ran.get(above) !== textOf(above));
    let failedAbove = false;
    for (const [i, above] of due.entries()) {
      cell.say(words.above, { k: i + 1, n: due.length });
      failedAbove = (await runAbove(above, words)) || failedAbove;
    }
    cell.say(words.running);
    const began = performance.now();
    const error = await runHere(cell, words);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    cell.say(`${error ? words.raised : words.done} ${failedAbove ? words.failedAbove : ""}`, { error, seconds });
  } catch (error) {
    if (error instanceof python.Interrupted) return cell.say(words.interrupted);
    ran.clear();
    if (error instanceof python.Stopped) cell.say(words.stopped);
    else cell.refuses(words.broken, { error: error.message });
  } finally {
    running = null;
    cell.runs(false);
  }
}

// A cell on the way shows what it did only if it failed; the others run all the same.
async function runAbove(cell, words) {
  const items = [];
  const error = await runOne(cell, (item) => items.push(item));
  if (error) {
    const output = emptied(cell);
    for (const item of items) add(output, item, words);
    cell.say(words.raised, { error });
  }
  return error;
}

function runHere(cell, words) {
  const output = emptied(cell);
  return runOne(cell, (item) => add(output, item, words));
}

async function runOne(cell, show) {
  const text = textOf(cell);
  ran.delete(cell);
  const error = await python.run(text, show);
  if (!error) ran.set(cell, text);
  return error;
}

function reset(cell, words) {
  leave(cell);
  if (cell.printed) outputOf(cell).replaceChildren(...cell.printed);
  cell.printed = null;
  cell.changed(false);
  cell.say(words.restored);
}

function outputOf(cell) {
  let output = cell.element.querySelector(".cell_output");
  if (!output) {
    output = document.createElement("div");
    output.className = "cell_output docutils container";
    cell.bar.after(output);
  }
  return output;
}

// What the book printed is kept for a reset.
function emptied(cell) {
  const output = outputOf(cell);
  cell.printed ??= [...output.childNodes];
  output.replaceChildren();
  cell.changed(true);
  return output;
}
