// The weights are Sphinx's own. Of results with one score, the chapters come first, in the order of the book.
var Scorer = {
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
  score([page, , , , score]) {
    const chapter = page.match(/^book\/(\d\d)_/);
    return score + (chapter ? 1 - chapter[1] / 100 : 0) / 2;
  },
};
