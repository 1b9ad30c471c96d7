// The definition of a linked term, on hover, on focus and on tap; Escape puts it away. The link itself leads to the glossary.

const DELAY = 150; // milliseconds, so that a pointer on its way across the text opens nothing, and one can move onto the tip

export function hover(definitions) {
  const tip = document.createElement("div");
  tip.className = "term-tip";
  tip.id = "term-tip";
  tip.setAttribute("role", "tooltip");
  tip.hidden = true;
  document.body.append(tip);
  let shown = null;
  let timer = 0;

  function show(link) {
    clearTimeout(timer);
    hide();
    shown = link;
    tip.innerHTML = definitions[link.hash.slice(1)];
    tip.hidden = false;
    link.setAttribute("aria-describedby", tip.id);
    place(tip, link);
  }

  function hide() {
    clearTimeout(timer);
    shown?.removeAttribute("aria-describedby");
    shown = null;
    tip.hidden = true;
  }

  function soon(act) {
    clearTimeout(timer);
    timer = setTimeout(act, DELAY);
  }

  for (const link of document.querySelectorAll("a.term")) {
    let touched = false;
    link.addEventListener("pointerenter", ({ pointerType }) => pointerType === "mouse" && soon(() => show(link)));
    link.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && soon(hide));
    link.addEventListener("pointerdown", ({ pointerType }) => (touched = pointerType !== "mouse" && shown !== link));
    link.addEventListener("focus", () => show(link));
    link.addEventListener("blur", hide);
    link.addEventListener("click", (event) => {
      if (!touched) return; // a second tap follows the link
      touched = false; // and so does a key
      event.preventDefault();
      show(link);
    });
  }
  tip.addEventListener("pointerenter", () => clearTimeout(timer));
  tip.addEventListener("pointerleave", () => soon(hide));
  document.addEventListener("keydown", ({ key }) => key === "Escape" && hide());
  document.addEventListener("pointerdown", ({ target }) => {
    if (shown && !tip.contains(target) && !shown.contains(target)) hide();
  });
}

// Below the link, or above it where there is no room; never beyond the sides of the window.
function place(tip, link) {
  const [line] = link.getClientRects();
  const { width, height } = tip.getBoundingClientRect();
  const room = document.documentElement.clientWidth - width - 8;
  const below = line.bottom + height < innerHeight;
  tip.style.left = `${scrollX + Math.max(8, Math.min(line.left, room))}px`;
  tip.style.top = `${scrollY + (below ? line.bottom : line.top - height)}px`;
}
