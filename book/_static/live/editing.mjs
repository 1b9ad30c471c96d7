// A cell's text, and the editor that takes the place of its code. The editor is loaded by the first cell that needs it.

export function textOf(cell) {
  return cell.editor?.value ?? cell.code.textContent.trimEnd();
}

export async function edit(cell, words, onRun) {
  const tools = await import("./editor.mjs");
  cell.editor ??= open(cell, tools, words, onRun);
  cell.editor.textarea.focus();
}

// Puts the text of the book back.
export function leave(cell) {
  cell.editor?.remove();
  cell.editor = null;
  cell.block.hidden = false;
}

function open(cell, { createEditor, defaultKeymap, editHistory, editorCommands, layout }, words, onRun) {
  addStyle(layout);
  const shape = { class: "live-editor", lineNumbers: false, tabSize: 4, insertSpaces: true };
  const settings = { language: "python", value: textOf(cell), ...shape };
  const editor = createEditor(null, settings, editorCommands(defaultKeymap), editHistory());
  cell.block.after(editor.container);
  cell.block.hidden = true;
  editor.textarea.setSelectionRange(editor.value.length, editor.value.length); // the end is next to the buttons
  editor.textarea.setAttribute("aria-label", words.editor);
  editor.textarea.addEventListener("keydown", onKey, { capture: true });
  return editor;

  function onKey(event) {
    if (event.key === "Escape") cell.buttons.run.focus(); // Tab indents, so there is another way out
    else if (event.key === "Enter" && event.shiftKey) onRun();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

function addStyle(text) {
  if (document.getElementById("live-editor-layout")) return;
  const style = document.createElement("style");
  style.id = "live-editor-layout";
  style.textContent = text;
  document.head.append(style);
}
