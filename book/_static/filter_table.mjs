// A search box above a long table. Chapters 22 and 24 set this text into their pages; without scripts the table is whole.
//
// A row may have more to be found by than it shows: data-words, and data-phrases, one a line. A phrase is the constant
// part of a message: a text that holds one leads to the row of the longest. Otherwise each word must be in the row,
// except words that are in no row, such as the numbers and file names of a message; the box names them.
//
// The words of the page: `label` stands before the box, `found` after it with {found} and {all}; `ignored` names {words}
// too, and `none` is HTML, with {all}.

const PUNCTUATION = /^[!-/:-@[-^`{-~]+|[!-/:-@[-^`{-~]+$/g; // ASCII without _, which is part of names

export function filterTable(table, words) {
  const rows = [...table.tBodies[0].rows].map((row) => ({
    row,
    text: `${row.textContent} ${row.dataset.words ?? ""}`.toLowerCase(),
    phrases: (row.dataset.phrases ?? "").toLowerCase().split("\n").filter(Boolean),
  }));
  const box = document.createElement("p");
  box.className = "table-filter";
  const name = document.createElement("label");
  name.append(words.label, " ");
  const input = document.createElement("input");
  input.type = "search";
  input.autocomplete = "off";
  input.spellcheck = false;
  name.append(input);
  const count = document.createElement("output");
  count.setAttribute("aria-live", "polite");
  box.append(name, " ", count);

  function find(typed) {
    const query = typed.toLowerCase().split(/\s+/).filter(Boolean).join(" ");
    const held = ({ phrases }) => Math.max(0, ...phrases.filter((p) => query.includes(p)).map((p) => p.length));
    const longest = Math.max(...rows.map(held));
    if (longest > 0) return { hits: rows.filter((row) => held(row) === longest), unknown: [] };

    const asked = [...new Set(query.split(" ").map((word) => word.replace(PUNCTUATION, "")))].filter(Boolean);
    const known = asked.filter((word) => rows.some(({ text }) => text.includes(word)));
    const hits = rows.filter(({ text }) => known.every((word) => text.includes(word)));
    const nothingKnown = asked.length > 0 && known.length === 0;
    return { hits: nothingKnown ? [] : hits, unknown: asked.filter((word) => !known.includes(word)) };
  }

  function update() {
    const { hits, unknown } = find(input.value);
    for (const { row } of rows) row.hidden = true;
    for (const { row } of hits) row.hidden = false;
    const values = { found: hits.length, all: rows.length, words: unknown.join(", ") };
    if (hits.length === 0) count.innerHTML = fill(words.none, { all: rows.length });
    else count.value = fill(unknown.length > 0 ? words.ignored : words.found, values);
  }

  input.addEventListener("input", update);
  table.parentElement.before(box);
  update();
}

function fill(sentence, values) {
  return sentence.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}
