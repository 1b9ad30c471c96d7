"""Exercises of chapter 08: in-place writes and versions."""

from ..check.exercise import Mutant, from_chapter


def _survives_a_write(h):
    h.mul_(2)
    try:
        h.backward()
    except RuntimeError:
        return False
    return True


def _overwrite(T):
    expressions = {
        "w.sin()": lambda w: w.sin(),
        "w.tanh()": lambda w: w.tanh(),
        "w.sigmoid()": lambda w: w.sigmoid(),
        "w + 1": lambda w: w + 1,
        "w.relu()": lambda w: w.relu(),
    }
    return {name: _survives_a_write(f(T.tensor(2.0, requires_grad=True))) for name, f in expressions.items()}


def _values_and_gradients(scale_first, T, rng):
    numbers = rng.uniform(1.5, 3.0, rng.integers(2, 5)).round(2).tolist()
    factor = round(rng.uniform(3.5, 5.0), 2)
    x = T.tensor(numbers, dtype=T.float64, requires_grad=True)
    v = T.tensor(factor, dtype=T.float64, requires_grad=True)
    h = scale_first(x, v)
    try:
        h.sum().backward()
        outcome = "no error"
    except RuntimeError as error:
        outcome = type(error).__name__
    return {
        f"scale_first({numbers}, {factor})": h,
        "backward": outcome,
        "x afterwards": x,
        "x.grad": x.grad,
        "v.grad": v.grad,
    }


def _memory(T):
    class Memory:
        def __init__(self, values):
            self.t = T.tensor(values, dtype=T.float64)

        def write(self, i, value):
            self.t[i] = value

        def save(self, i):
            version = self.t._version

            def read():
                if self.t._version != version:
                    raise RuntimeError("written since it was saved")
                return self.t[i].clone()

            return read

    return Memory


def _written(Memory, T, rng):
    def outcome(read):
        try:
            return read()
        except RuntimeError as error:
            return type(error).__name__

    a, b, c = (round(x, 2) for x in rng.uniform(1.0, 9.0, 3))
    memory, other = Memory([a, b]), Memory([a, b])
    early = memory.save(0)
    rows = {f"[{a}, {b}], element 0 saved": outcome(early)}
    other.write(0, c)
    rows["another memory was written"] = outcome(early)
    memory.write(1, c)
    rows["element 1 was written"] = outcome(early)
    twice = memory.save(0)
    memory.write(1, b)
    memory.write(1, c)
    rows["element 1 was written twice"] = outcome(twice)
    late = memory.save(0)
    rows["element 0 saved anew"] = outcome(late)
    memory.write(0, a)
    rows["the same value was written to it"] = outcome(late)
    last = memory.save(0)
    memory.write(0, c)
    rows[f"saved anew, then {c} was written to it"] = outcome(last)
    rows[f"then saved anew, after {c}"] = outcome(memory.save(0))
    return rows


def _after_each_write(writes, T, rng):
    def outcome(call, *args):
        try:
            call(*args)
        except RuntimeError as error:
            return type(error).__name__
        return "no error"

    rows = {}
    numbers = rng.uniform(1.0, 2.0, 2).round(2).tolist()
    for name, write in zip(("noticed", "unnoticed"), writes, strict=True):
        x = T.tensor(numbers, dtype=T.float64, requires_grad=True)
        h = x.exp()
        before, version = h.tolist(), h._version
        rows[f"{name}: the write"] = outcome(write, T, x, h)
        rows[f"{name}: backward"] = outcome(h.sum().backward)
        rows[f"{name}: the numbers in h are the same"] = h.tolist() == before
        if name == "noticed":
            rows["noticed: the version of h moved"] = h._version != version
        else:
            rows["unnoticed: the numbers in x are others"] = x.tolist() != numbers
            rows[f"unnoticed: x.grad, the forward ran at {numbers}"] = x.grad
    return rows


EXERCISES = [
    from_chapter(
        id="08.overwrite",
        kind="worked",
        minutes=4,
        reference=_overwrite,
        mutants=(
            Mutant(
                "Every overwritten value raises",
                "Only a value that backward still needs is protected; w + 1 needs none, and sin(w) needs w.",
                rows={"w.sin()": False, "w + 1": False},
            ),
            Mutant(
                "Only inputs are saved",
                "A rule that can be written with the output saves the output, because it is there already.",
                rows={"w.tanh()": True, "w.sigmoid()": True, "w.relu()": True},
            ),
            Mutant(
                "relu saves its input",
                "It could, but it saves its output: the output is positive exactly where the input is.",
                rows={"w.relu()": True},
            ),
        ),
    ),
    from_chapter(
        id="08.scale",
        kind="faded",
        minutes=5,
        rows=_values_and_gradients,
        mutants=(
            Mutant(
                "It still overwrites what the product saved",
                "h[0] * v saves its operands, and the assignment writes over one of them. Save a copy, or let one "
                "operation do both.",
                instead={"h[0] *= v": "h[0] = h[0] * v"},
            ),
            Mutant(
                "Detaching is the repair",
                "No error comes, because the old element has no history any more. That is also why x[0] gets "
                "no gradient.",
                instead={"h[0] *= v": "h[0] = h[0].detach().clone() * v"},
            ),
            Mutant(
                "v may lose its history",
                "The numbers are right and x gets its gradient, but v became a constant on the way.",
                instead={"*= v": "*= v.detach()"},
            ),
            Mutant(
                "The input was overwritten",
                "The element was scaled in x itself. The function works on x * 1 and leaves its argument alone.",
                instead={"h = x * 1\n    h[0] *= v": "x.data[0] *= v.detach()\n    h = x * 1"},
            ),
            Mutant(
                "Every element was scaled",
                "h *= v writes to all of h. Only h[0] is to be multiplied.",
                instead={"h[0] *= v": "h *= v"},
            ),
        ),
    ),
    from_chapter(
        id="08.counter",
        kind="blank",
        minutes=8,
        reference=_memory,
        mutants=(
            Mutant(
                "The check is missing",
                "It returns what lies in memory now. Backward would compute with a number the forward never saw.",
                instead={"self.version += 1": "pass"},
            ),
            Mutant(
                "A copy was saved",
                "A copy is always right, and it costs the memory that saving by reference avoids. Engines count.",
                instead={
                    "version = self.version\n": "copy = self.values[i]\n",
                    "if self.version != version:": "if False:",
                    "return self.values[i]": "return copy",
                },
            ),
            Mutant(
                "Values are compared",
                "To compare them, the old value must be kept. A counter moves with every write, also with one that "
                "changes no number.",
                instead={
                    "version = self.version\n": "version = self.values[i]\n",
                    "self.version != version": "self.values[i] != version",
                },
            ),
            Mutant(
                "One counter for each element",
                "It would be kinder to neighbors, but a counter for each number costs as much as the numbers.",
                instead={
                    "self.version = 0": "self.version = [0 for _ in values]",
                    "self.version += 1": "self.version[i] += 1",
                    "version = self.version\n": "version = self.version[i]\n",
                    "self.version != version": "self.version[i] != version",
                },
            ),
            Mutant(
                "One counter for all memories",
                "A write to another memory made this value stale. Keep the counter in the object, not in the class.",
                instead={"self.version = 0": "Memory.version = 0", "self.version += 1": "Memory.version += 1"},
            ),
            Mutant(
                "A flag is not a count",
                "A write before the value was saved does no harm. What counts is whether one came since.",
                instead={"if self.version != version:": "if self.version:"},
            ),
            Mutant(
                "Two writes look like none",
                "What is turned over twice is as before. A count only grows.",
                instead={"self.version != version": "self.version % 2 != version % 2"},
            ),
        ),
        rows=_written,
    ),
    from_chapter(
        id="08.two_writes",
        kind="break",
        minutes=5,
        mutants=(
            Mutant(
                "That is no write into h",
                "The version of h did not move, so backward runs. h + 0 is a new tensor, a write through h.data is not "
                "counted, and one to x does no harm: the exponential saved its output.",
                instead={"h.add_(0)": "h = h + 0"},
            ),
            Mutant(
                "Refused for another reason",
                "Backward raises, but nobody wrote into h: its version did not move.",
                instead={"h.add_(0)": "h.detach_()"},
            ),
            Mutant(
                "The numbers changed",
                "Backward refuses, and it would have been wrong. The task is to be refused for a harmless write.",
                instead={"h.add_(0)": "h.mul_(2)"},
            ),
            Mutant(
                "The write was to be recorded",
                "A leaf that requires a gradient may not be overwritten by a recorded operation. Write under no_grad.",
                instead={"no_grad": "enable_grad"},
            ),
            Mutant(
                "The saved output was overwritten",
                "Through h.data nobody notices, and the gradient is wrong. Overwrite the tensor that is not needed.",
                rows={
                    "unnoticed: backward": "no error",
                    "unnoticed: the numbers in h are the same": False,
                    "unnoticed: the numbers in x are others": False,
                },
            ),
            Mutant(
                "x was not overwritten",
                "Its numbers are still the old ones. An operation such as x + 1 makes a new tensor.",
                instead={"x.add_(1)": "x = x + 1"},
            ),
        ),
        rows=_after_each_write,
    ),
]
