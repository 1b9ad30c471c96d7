"""Chapter 05: a part of a batch counts by its share of what the loss divides by."""

from ..check.exercise import Mutant, from_chapter, of_dictionary

PARTS = ((1.0, 2.0, 3.0, 4.0), (4.0, 5.0, 6.0), (15.0,))
PADDING = -100


def _gradient(T, part):
    w = T.tensor(2.0, requires_grad=True)
    return T.autograd.grad((w.square() * T.tensor(part)).mean(), w)[0].item()


def _parts(T):
    return {
        "mean of means": sum(_gradient(T, part) for part in PARTS) / len(PARTS),
        "mean of all": _gradient(T, [x for part in PARTS for x in part]),
    }


def _slots_after(accumulate, T, rng):
    return _slot_after(accumulate, T, rng, 2) | _slot_after(accumulate, T, rng, 3)


def _slot_after(accumulate, T, rng, n_parts):
    sizes = sorted(rng.choice(range(1, 5), n_parts, replace=False).tolist(), reverse=True)
    # The smaller a part, the larger its numbers: it shows what a part is weighted by.
    parts = [rng.uniform(i, i + 0.5, n).round(1).tolist() for i, n in enumerate(sizes, 1)]
    start = round(rng.uniform(1.5, 3.0), 1)
    w = T.tensor(start, dtype=T.float64, requires_grad=True)
    accumulate(T, w, [T.tensor(part, dtype=T.float64) for part in parts])
    return {f"w.grad, w = {start}, parts {parts}": w.grad}


def _scores_after(step, T, rng):
    # The class with the highest score occurs once, alone in its sequence: there the divisors differ most.
    targets = [rng.integers(1, 3, n).tolist() for n in rng.integers(2, 6, 2)] + [[0], []]
    sequences = [valid + [PADDING] * n for valid, n in zip(targets, rng.integers(1, 4, 4), strict=True)]
    numbers = [round(rng.uniform(*limits), 1) for limits in ((1.0, 2.0), (-0.5, 0.5), (-0.5, 0.5))]
    scores = T.tensor(numbers, dtype=T.float64, requires_grad=True)
    step(T, scores, [T.tensor(target) for target in sequences])
    counts = f"{[*map(len, targets)]} of {[*map(len, sequences)]} tokens valid"
    return {f"scores.grad at {numbers}, {counts}": scores.grad}


@of_dictionary("hidden", "opposite")
def _two_splits(answer, T, rng):
    rows = {}
    for name, parts in answer.items():
        sizes = [len(part) for part in parts]
        of_all = sum(map(sum, parts)) / sum(sizes)
        of_means = sum(sum(part) / len(part) for part in parts) / len(parts)
        rows[f"{name}: two parts of different sizes"] = len(sizes) == 2 and sizes[0] != sizes[1]
        rows[f"{name}: the means are equal"] = abs(of_all - of_means) < 1e-12
        rows[f"{name}: the signs are opposite"] = of_all * of_means < 0
    return rows


EXERCISES = [
    from_chapter(
        id="05.parts",
        kind="worked",
        minutes=4,
        reference=_parts,
        mutants=(
            Mutant(
                "Both times the mean of means",
                "The part of one example counts for an eighth of the batch, not for a third.",
                rows={"mean of means": 30.0, "mean of all": 30.0},
            ),
            Mutant(
                "Both times weighted by size",
                "The mean of means asks each part once, whatever its size: the three gradients over three.",
                rows={"mean of means": 20.0, "mean of all": 20.0},
            ),
            Mutant(
                "The two are exchanged",
                "The mean of means divides by the number of parts, the mean of all by the number of examples.",
                rows={"mean of means": 20.0, "mean of all": 30.0},
            ),
            Mutant(
                "Added, not averaged",
                "The loss is a mean, so the sum over all examples is divided by their number.",
                rows={"mean of all": 160.0},
            ),
        ),
    ),
    from_chapter(
        id="05.weight",
        kind="faded",
        minutes=5,
        mutants=(
            Mutant(
                "The mean of means",
                "One over the number of parts is right for equal parts only.",
                instead={"len(part) / n": "1 / len(parts)"},
            ),
            Mutant(
                "Nothing is weighted",
                "The means were added, and each counts for a part only.",
                instead={"len(part) / n": "1"},
            ),
            Mutant(
                "Divided twice",
                "The mean of a part has been divided by its size. Its weight has to undo that: size / n.",
                instead={"len(part) / n": "1 / n"},
            ),
            Mutant(
                "A sum, not a mean",
                "The size of a part turns its mean into a sum. The sum over all examples is to be divided by n.",
                instead={"len(part) / n": "len(part)"},
            ),
        ),
        rows=_slots_after,
    ),
    from_chapter(
        id="05.tokens",
        kind="blank",
        minutes=8,
        mutants=(
            Mutant(
                "The mean of means",
                "Each sequence was divided by its own valid tokens and then by the number of sequences.",
                instead={'"sum"': '"mean"', "loss / n_valid": "loss / len(sequences)"},
            ),
            Mutant(
                "The padding was counted",
                "The sum skips the padding, so the count it is divided by has to skip it too.",
                instead={"(target != -100).sum().item()": "len(target)"},
            ),
            Mutant(
                "A sum, not a mean",
                "The sums of the sequences are right. Divide them by the number of valid tokens of all sequences.",
                instead={"loss / n_valid": "loss"},
            ),
            Mutant(
                "The means were added",
                "Each sequence was divided by its own valid tokens. Sum its losses, and divide by those of all.",
                instead={'"sum"': '"mean"', "loss / n_valid": "loss"},
            ),
        ),
        rows=_scores_after,
    ),
    from_chapter(
        id="05.hide",
        kind="break",
        minutes=6,
        mutants=(
            Mutant(
                "Equal parts",
                "Parts of one size hide the fault with any numbers. Here the sizes have to differ.",
                rows={"hidden: two parts of different sizes": False},
            ),
            Mutant(
                "Not hidden",
                "The two means differ, and so it matters what they are weighted by.",
                rows={"hidden: the means are equal": False},
            ),
            Mutant(
                "The same direction",
                "Both means have one sign. The single number must outweigh the mean of the others, not their sum.",
                rows={"opposite: the signs are opposite": False},
            ),
        ),
        rows=_two_splits,
        stated={
            "hidden: two parts of different sizes": True,
            "hidden: the means are equal": True,
            "hidden: the signs are opposite": False,
            "opposite: two parts of different sizes": True,
            "opposite: the means are equal": False,
            "opposite: the signs are opposite": True,
        },
    ),
]
