// A predict box: its list becomes a choice, and the explanation of the wrong answer that was chosen opens further down.

import { keep, recall } from "./store.mjs";

// `answer` is the number of the right option; the explanations stand in the order of the others.
export function predict(page, answer, words) {
  const box = document.querySelector(".admonition.predict");
  const options = [...box.querySelectorAll(":scope > ul > li")];
  const explanations = [...document.querySelectorAll("details.tempts")];
  const wrong = options.filter((_, i) => i + 1 !== answer);
  const explanationOf = new Map(wrong.map((option, i) => [option, explanations[i]]));

  const list = options[0].parentElement;
  const choice = document.createElement("fieldset");
  const question = list.previousElementSibling;
  question.id ||= "question";
  choice.setAttribute("aria-labelledby", question.id);
  list.before(choice);
  choice.append(list);
  const buttons = options.map(button);

  const said = document.createElement("p");
  said.className = "said";
  said.setAttribute("role", "status");
  choice.after(said);
  const verdict = document.createElement("p");
  verdict.className = "verdict";
  verdict.id = "verdict";
  explanations[0].before(verdict);

  function button(option, i) {
    const radio = document.createElement("input");
    radio.type = "radio";
    radio.name = "prediction";
    const text = document.createElement("span");
    text.append(...[...option.children].flatMap((paragraph) => [...paragraph.childNodes]));
    const label = document.createElement("label");
    label.append(radio, text);
    option.replaceChildren(label);
    radio.addEventListener("change", () => {
      keep("predictions", page, i + 1);
      show();
    });
    return radio;
  }

  function show() {
    const number = recall("predictions", page);
    const option = options[number - 1];
    buttons.forEach((radio, i) => (radio.checked = i + 1 === number));
    for (const [, explanation] of explanationOf) {
      if (explanation.classList.contains("yours")) explanation.open = false;
      explanation.classList.remove("yours");
    }
    said.replaceChildren();
    verdict.replaceChildren();
    if (!option) return;

    const parts = { choice: () => quote(option), right: () => quote(options[answer - 1]), below: link };
    said.append(...fill(words.said, parts));
    verdict.append(...fill(number === answer ? words.right : words.wrong, parts));
    const explanation = explanationOf.get(option);
    explanation?.classList.add("yours");
    if (explanation) explanation.open = true;
  }

  function link() {
    const a = document.createElement("a");
    a.href = `#${verdict.id}`;
    a.textContent = words.below;
    return a;
  }

  document.addEventListener("kept-elsewhere", show);
  show();
}

// The words of an option, without the period of a sentence: they stand inside another one.
function quote(option) {
  const q = document.createElement("q");
  q.append(...option.querySelector("label > span").cloneNode(true).childNodes);
  const last = q.lastChild;
  if (last.nodeType === Node.TEXT_NODE) last.data = last.data.replace(/\.$/, "");
  return q;
}

function fill(sentence, parts) {
  return sentence.split(/\{(\w+)\}/).map((piece, i) => (i % 2 ? parts[piece]() : piece));
}
