"""Messages of layers, losses and optimizers."""

from .entry import Section

SECTION = Section()
add = SECTION.add

add(
    "non-leaf-in-optimizer",
    "ValueError",
    "can't optimize a non-leaf Tensor",
    cause="The optimizer was given the result of an operation. No gradient is stored there, and the next forward "
    "computes it anew.",
    program="""
        w = T.ones(2, requires_grad=True) * 0.1
        T.optim.SGD([w], lr=0.1)
    """,
    mend="""
        w = (T.ones(2) * 0.1).requires_grad_()
        T.optim.SGD([w], lr=0.1)
    """,
    unless="A leaf that requires no gradients is taken, and never moves.",
    silent="""
        T.optim.SGD([T.ones(2)], lr=0.1)
    """,
    chapter="09_training_loop",
)
add(
    "no-parameters",
    "ValueError",
    "optimizer got an empty parameter list",
    cause="The iterator of parameters was used up before, or the layers are in a plain list, where a module does not"
    " find them.",
    program="""
        parameters = T.nn.Linear(2, 1).parameters()
        count = len(list(parameters))
        T.optim.SGD(parameters, lr=0.1)
    """,
    mend="""
        parameters = list(T.nn.Linear(2, 1).parameters())
        T.optim.SGD(parameters, lr=0.1)
    """,
    unless="If some parameters are found and others are not, nothing is said, and those others never move.",
    silent="""
        class Model(T.nn.Module):
            def __init__(self):
                super().__init__()
                self.first = T.nn.Linear(2, 2)
                self.rest = [T.nn.Linear(2, 1)]


        assert len(list(Model().parameters())) == 2
    """,
    chapter="09_training_loop",
)
add(
    "parameters-are-a-tensor",
    "TypeError",
    "params argument given to the optimizer should be an iterable of Tensors or dicts",
    cause="An optimizer takes a list of parameters, also where there is one.",
    program="""
        w = T.ones(2, requires_grad=True)
        T.optim.SGD(w, lr=0.1)
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        T.optim.SGD([w], lr=0.1)
    """,
    unless="Any iterable will do.",
    silent="""
        w = T.ones(2, requires_grad=True)
        T.optim.SGD(iter([w]), lr=0.1)
    """,
)
add(
    "parameter-twice",
    "ValueError",
    "some parameters appear in more than one parameter group",
    cause="One parameter is in two groups, and would be moved twice by each step.",
    program="""
        w = T.ones(2, requires_grad=True)
        T.optim.SGD([{"params": [w], "lr": 0.1}, {"params": [w], "lr": 0.2}], lr=0.1)
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        b = T.ones(2, requires_grad=True)
        T.optim.SGD([{"params": [w], "lr": 0.1}, {"params": [b], "lr": 0.2}], lr=0.1)
    """,
    unless="Two optimizers may hold the same parameter; they do not know of each other.",
    silent="""
        w = T.ones(2, requires_grad=True)
        first, second = T.optim.SGD([w], lr=0.1), T.optim.SGD([w], lr=0.1)
    """,
)
add(
    "negative-rate",
    "ValueError",
    "Invalid learning rate",
    cause="A step goes against the gradient already; a negative rate would climb.",
    program="""
        w = T.ones(2, requires_grad=True)
        T.optim.SGD([w], lr=-0.1)
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        T.optim.SGD([w], lr=0.1)
    """,
    unless="Zero is allowed, and moves nothing. To climb, say maximize=True.",
    silent="""
        w = T.ones(2, requires_grad=True)
        T.optim.SGD([w], lr=0.0)
        T.optim.SGD([w], lr=0.1, maximize=True)
    """,
)
add(
    "scheduler-first",
    "UserWarning",
    "Detected call of `lr_scheduler.step()` before `optimizer.step()`",
    cause="The scheduler was stepped before the optimizer, so the first learning rate is never used.",
    program="""
        w = T.ones(2, requires_grad=True)
        optimizer = T.optim.SGD([w], lr=0.1)
        scheduler = T.optim.lr_scheduler.StepLR(optimizer, 1)
        scheduler.step()
        optimizer.step()
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        optimizer = T.optim.SGD([w], lr=0.1)
        scheduler = T.optim.lr_scheduler.StepLR(optimizer, 1)
        optimizer.step()
        scheduler.step()
    """,
    unless="Only the first round is looked at.",
    silent="""
        w = T.ones(2, requires_grad=True)
        optimizer = T.optim.SGD([w], lr=0.1)
        scheduler = T.optim.lr_scheduler.StepLR(optimizer, 1)
        optimizer.step()
        scheduler.step()
        scheduler.step()
        optimizer.step()
    """,
)
add(
    "groups-of-a-state",
    "ValueError",
    "loaded state dict contains a parameter group that doesn't match the size of optimizer's group",
    cause="The saved state belongs to an optimizer of more or fewer parameters.",
    program="""
        w, b = (T.ones(2, requires_grad=True) for _ in range(2))
        saved = T.optim.SGD([w, b], lr=0.1).state_dict()
        T.optim.SGD([w], lr=0.1).load_state_dict(saved)
    """,
    mend="""
        w, b = (T.ones(2, requires_grad=True) for _ in range(2))
        saved = T.optim.SGD([w, b], lr=0.1).state_dict()
        T.optim.SGD([w, b], lr=0.1).load_state_dict(saved)
    """,
    unless="Parameters are known by their place, so the same number in another order is taken, momenta and all.",
    silent="""
        w, b = (T.ones(2, requires_grad=True) for _ in range(2))
        saved = T.optim.SGD([w, b], lr=0.1).state_dict()
        T.optim.SGD([b, w], lr=0.1).load_state_dict(saved)
    """,
)
add(
    "not-a-parameter",
    "TypeError",
    "as parameter 'weight'",
    cause="A plain tensor was put where a module keeps a parameter.",
    program="""
        layer = T.nn.Linear(2, 1)
        layer.weight = T.ones(1, 2)
    """,
    mend="""
        layer = T.nn.Linear(2, 1)
        layer.weight = T.nn.Parameter(T.ones(1, 2))
    """,
    unless="A tensor under a new name is an ordinary attribute: no optimizer will find it.",
    silent="""
        layer = T.nn.Linear(2, 1)
        layer.extra = T.ones(1, 2, requires_grad=True)
        assert len(list(layer.parameters())) == 2
    """,
)
add(
    "module-not-begun",
    "AttributeError",
    "cannot assign module before Module.__init__() call",
    cause="The __init__ of a module sets layers before it has called super().__init__(), which makes the place for "
    "them.",
    program="""
        class Model(T.nn.Module):
            def __init__(self):
                self.layer = T.nn.Linear(2, 1)


        Model()
    """,
    mend="""
        class Model(T.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = T.nn.Linear(2, 1)


        Model()
    """,
    unless="Numbers and lists can be set before, since nobody keeps a record of them.",
    silent="""
        class Model(T.nn.Module):
            def __init__(self):
                self.width = 2
                super().__init__()


        Model()
    """,
)
add(
    "no-forward",
    "NotImplementedError",
    'is missing the required "forward" function',
    cause="A module was called that has no forward. Often the name is misspelled, or indented into __init__.",
    program="""
        class Model(T.nn.Module):
            def foward(self, x):
                return x


        Model()(T.ones(2))
    """,
    mend="""
        class Model(T.nn.Module):
            def forward(self, x):
                return x


        Model()(T.ones(2))
    """,
    unless="A module that is never called may do without.",
    silent="""
        class Model(T.nn.Module):
            pass


        Model()
    """,
)
add(
    "keys-of-a-state",
    "RuntimeError",
    "Missing key(s) in state_dict",
    "Unexpected key(s) in state_dict",
    cause="The saved state belongs to a module with other names: the same layers in another container, for example.",
    program="""
        layer = T.nn.Linear(2, 1)
        model = T.nn.Sequential(layer)
        model.load_state_dict(layer.state_dict())
    """,
    mend="""
        layer = T.nn.Linear(2, 1)
        model = T.nn.Sequential(layer)
        model[0].load_state_dict(layer.state_dict())
    """,
    unless="strict=False loads what fits and only reports the rest: here nothing fits, and nothing is loaded.",
    silent="""
        layer = T.nn.Linear(2, 1)
        model = T.nn.Sequential(layer)
        model.load_state_dict(layer.state_dict(), strict=False)
    """,
)
add(
    "shape-of-a-state",
    "RuntimeError",
    "size mismatch for",
    cause="A saved parameter has another shape than the one it is to be loaded into.",
    program="""
        T.nn.Linear(2, 1).load_state_dict(T.nn.Linear(3, 1).state_dict())
    """,
    mend="""
        T.nn.Linear(3, 1).load_state_dict(T.nn.Linear(3, 1).state_dict())
    """,
    unless="The same shape with another meaning goes through.",
    silent="""
        T.nn.Linear(2, 2).load_state_dict(T.nn.Linear(2, 2).state_dict())
    """,
)
add(
    "target-broadcasts",
    "UserWarning",
    "that is different to the input size",
    cause="Prediction and target have different shapes and are spread over each other: every prediction is compared "
    "with every target.",
    program="""
        prediction, target = T.ones(3, 1), T.ones(3)
        T.nn.functional.mse_loss(prediction, target)
    """,
    mend="""
        prediction, target = T.ones(3, 1), T.ones(3)
        T.nn.functional.mse_loss(prediction.squeeze(1), target)
    """,
    unless="Written by hand, the same mistake is an ordinary broadcast.",
    silent="""
        prediction, target = T.ones(3, 1), T.ones(3)
        assert (prediction - target).shape == (3, 3)
    """,
    chapter="09_training_loop",
)
add(
    "class-out-of-bounds",
    "IndexError",
    "is out of bounds.",
    "out of bounds: there are",
    cause="A class index is as large as the number of classes, or larger, or negative. They are counted from 0.",
    program="""
        logits = T.ones(1, 2)
        T.nn.functional.cross_entropy(logits, T.tensor([2]))
    """,
    mend="""
        logits = T.ones(1, 2)
        T.nn.functional.cross_entropy(logits, T.tensor([1]))
    """,
    unless="The index given as ignore_index is skipped: -100, unless you say otherwise.",
    silent="""
        logits = T.ones(2, 2)
        T.nn.functional.cross_entropy(logits, T.tensor([1, -100]))
    """,
    chapter="05_microbatches",
)
add(
    "batch-of-a-target",
    "ValueError",
    "to match target batch_size",
    cause="There are not as many targets as predictions.",
    program="""
        logits = T.ones(2, 3)
        T.nn.functional.cross_entropy(logits, T.tensor([0, 1, 2]))
    """,
    mend="""
        logits = T.ones(3, 3)
        T.nn.functional.cross_entropy(logits, T.tensor([0, 1, 2]))
    """,
    unless="Swapped dimensions go unnoticed where both have the same size.",
    silent="""
        logits = T.ones(3, 3).T
        T.nn.functional.cross_entropy(logits, T.tensor([0, 1, 2]))
    """,
)
add(
    "dtype-of-a-target",
    "RuntimeError",
    "expected target dtype to be",
    cause="Class indices are integers, and these are floating point numbers.",
    program="""
        logits = T.ones(1, 2)
        T.nn.functional.cross_entropy(logits, T.tensor([1.0]))
    """,
    mend="""
        logits = T.ones(1, 2)
        T.nn.functional.cross_entropy(logits, T.tensor([1]))
    """,
    unless="Floating targets of the shape of the logits are probabilities.",
    silent="""
        logits = T.ones(1, 2)
        T.nn.functional.cross_entropy(logits, T.tensor([[0.0, 1.0]]))
    """,
)
add(
    "not-probabilities",
    "RuntimeError",
    "all elements of input should be between 0 and 1",
    cause="binary_cross_entropy takes probabilities, and was given scores.",
    program="""
        score = T.tensor([1.5])
        T.nn.functional.binary_cross_entropy(score, T.tensor([1.0]))
    """,
    mend="""
        score = T.tensor([1.5])
        T.nn.functional.binary_cross_entropy_with_logits(score, T.tensor([1.0]))
    """,
    unless="Scores that happen to lie between 0 and 1 go through, and the loss is not the one that was meant.",
    silent="""
        score = T.tensor([0.5])
        T.nn.functional.binary_cross_entropy(score, T.tensor([1.0]))
    """,
)
add(
    "index-of-an-embedding",
    "IndexError",
    "index out of range in self",
    cause="An index is as large as the table of the embedding, or larger, or negative.",
    program="""
        table = T.nn.Embedding(3, 2)
        table(T.tensor([3]))
    """,
    mend="""
        table = T.nn.Embedding(4, 2)
        table(T.tensor([3]))
    """,
    unless="Indices within the table are fine. Rows that are never looked up get a zero gradient.",
    silent="""
        table = T.nn.Embedding(3, 2)
        table(T.tensor([2])).sum().backward()
        assert table.weight.grad[0].tolist() == [0.0, 0.0]
    """,
)
add(
    "one-value-per-channel",
    "ValueError",
    "Expected more than 1 value per channel when training",
    cause="Batch normalization subtracts the mean of the batch, and of one value nothing would be left.",
    program="""
        layer = T.nn.BatchNorm1d(2)
        layer(T.ones(1, 2))
    """,
    mend="""
        layer = T.nn.BatchNorm1d(2)
        layer(T.ones(2, 2))
    """,
    unless="In eval() it uses the statistics that it has kept.",
    silent="""
        layer = T.nn.BatchNorm1d(2).eval()
        layer(T.ones(1, 2))
    """,
)
