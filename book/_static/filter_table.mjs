// A search box above a long table. Chapter 24 sets this text into its page as a module; without scripts the table is whole.

export function filterTable(table, { label, unit }) {
  const rows = [...table.tBodies[0].rows].map((row) => ({ row, text: row.textContent.toLowerCase() }));
  const box = document.createElement("p");
  box.className = "table-filter";
  const name = document.createElement("label");
  name.append(label, " ");
  const input = document.createElement("input");
  input.type = "search";
  input.autocomplete = "off";
  input.spellcheck = false;
  name.append(input);
  const count = document.createElement("output");
  count.setAttribute("aria-live", "polite");
  box.append(name, " ", count);

  function update() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { row, text } of rows) {
      row.hidden = !words.every((word) => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    count.value = `${shown} of ${rows.length} ${unit}`;
  }

  input.addEventListener("input", update);
  table.parentElement.before(box);
  update();
}
