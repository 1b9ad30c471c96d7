// What a result of the search quotes: the words of the article, a space between its blocks, and none of its figures.
Search.htmlToText = (html, anchor) => {
  const article = new DOMParser().parseFromString(html, "text/html").querySelector("article");
  const unquoted = article.querySelectorAll("script, style, svg, .headerlink, .launch, .ac-viz, details.hide > summary");
  for (const each of unquoted) each.remove();
  const blocks = article.querySelectorAll("h1, h2, h3, h4, p, li, dt, dd, th, td, pre, div, label, summary, figcaption");
  for (const each of blocks) each.append(" ");
  const found = anchor && article.ownerDocument.getElementById(anchor.slice(1));
  return (found || article).textContent.replace(/\\[()[\]]/g, "").replace(/\s+/g, " "); // formulas without their brackets
};

// Of results with one weight, the chapters come first, in the order of the book.
Scorer.score = ([page, , , , weight]) => {
  const chapter = page.match(/^book\/(\d\d)_/);
  return weight + (chapter ? 1 - chapter[1] / 100 : 0) / 2;
};
