// What a cell shows, as the book shows it: text, HTML with its scripts, figures, tracebacks.

export function add(output, { kind, text }, words) {
  if (kind === "html") output.append(box("text_html", fragment(text)));
  else if (kind === "again") replace(output, fragment(text));
  else if (kind === "image") output.append(box("image_svg", image(text, words.figure)));
  else if (kind === "cut") textBox(output, kind).append(`\n${words.cut}\n`);
  else textBox(output, kind).append(text);
}

function fragment(html) {
  return document.createRange().createContextualFragment(html);
}

function replace(output, content) {
  output.querySelector(`#${content.firstElementChild.id}`).replaceWith(content);
}

function box(kind, content) {
  const element = document.createElement("div");
  element.className = `output ${kind}`;
  element.append(content);
  return element;
}

// SVG inside an image: ids of one figure do not meet those of another.
function image(svg, alt) {
  const element = document.createElement("img");
  element.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  element.alt = alt;
  return element;
}

// Lines of one kind that follow each other share a box.
function textBox(output, kind) {
  const name = kind === "error" ? "traceback" : "stream";
  if (!output.lastElementChild?.classList.contains(name)) {
    const pre = document.createElement("pre");
    pre.tabIndex = 0; // it may scroll
    const highlight = document.createElement("div");
    highlight.className = "highlight";
    highlight.append(pre);
    output.append(box(`${name} highlight-myst-ansi notranslate`, highlight));
  }
  return output.lastElementChild.querySelector("pre");
}
