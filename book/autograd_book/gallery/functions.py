"""Messages about custom functions, hooks and checkpoints."""

from .entry import Section

SECTION = Section()
add = SECTION.add

add(
    "number-of-gradients",
    "RuntimeError",
    "returned an incorrect number of gradients",
    cause="backward returns one gradient for each argument of forward, None where there is none to give.",
    program="""
        class Scale(T.autograd.Function):
            @staticmethod
            def forward(ctx, x, factor):
                ctx.factor = factor
                return x * factor

            @staticmethod
            def backward(ctx, g):
                return g * ctx.factor


        w = T.ones(2, requires_grad=True)
        Scale.apply(w, 3.0).sum().backward()
    """,
    mend="""
        class Scale(T.autograd.Function):
            @staticmethod
            def forward(ctx, x, factor):
                ctx.factor = factor
                return x * factor

            @staticmethod
            def backward(ctx, g):
                return g * ctx.factor, None


        w = T.ones(2, requires_grad=True)
        Scale.apply(w, 3.0).sum().backward()
    """,
    unless="Too many are no error as long as the rest are None.",
    silent="""
        class Scale(T.autograd.Function):
            @staticmethod
            def forward(ctx, x, factor):
                ctx.factor = factor
                return x * factor

            @staticmethod
            def backward(ctx, g):
                return g * ctx.factor, None, None


        w = T.ones(2, requires_grad=True)
        Scale.apply(w, 3.0).sum().backward()
    """,
    chapter="20_custom_functions",
)
add(
    "shape-of-a-gradient",
    "RuntimeError",
    "returned an invalid gradient at index",
    cause="backward returned a gradient that has not the shape of its argument.",
    program="""
        class Double(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2

            @staticmethod
            def backward(ctx, g):
                return 2 * g[:1]


        w = T.ones(2, requires_grad=True)
        Double.apply(w).sum().backward()
    """,
    mend="""
        class Double(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2

            @staticmethod
            def backward(ctx, g):
                return 2 * g


        w = T.ones(2, requires_grad=True)
        Double.apply(w).sum().backward()
    """,
    unless="The shape is checked, the values are not. Only gradcheck() compares those.",
    silent="""
        class Double(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2

            @staticmethod
            def backward(ctx, g):
                return 100 * g


        w = T.ones(2, requires_grad=True)
        Double.apply(w).sum().backward()
    """,
    chapter="20_custom_functions",
)
add(
    "function-called-as-object",
    "RuntimeError",
    "legacy autograd function with non-static forward",
    cause="A Function is not instantiated; its apply is called on the class.",
    program="""
        class Double(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2

            @staticmethod
            def backward(ctx, g):
                return 2 * g


        Double()(T.ones(2, requires_grad=True))
    """,
    mend="""
        class Double(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2

            @staticmethod
            def backward(ctx, g):
                return 2 * g


        Double.apply(T.ones(2, requires_grad=True))
    """,
    unless="A module is an object that is called; its forward is not static.",
    silent="""
        class Double(T.nn.Module):
            def forward(self, x):
                return x * 2


        Double()(T.ones(2, requires_grad=True))
    """,
    chapter="20_custom_functions",
)
add(
    "backward-not-written",
    "NotImplementedError",
    "You must implement either the backward or vjp method",
    cause="A pass came to a custom Function that has only a forward.",
    program="""
        class Double(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2


        w = T.ones(2, requires_grad=True)
        Double.apply(w).sum().backward()
    """,
    mend="""
        class Double(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2

            @staticmethod
            def backward(ctx, g):
                return 2 * g


        w = T.ones(2, requires_grad=True)
        Double.apply(w).sum().backward()
    """,
    unless="The forward alone does not ask for it.",
    silent="""
        class Double(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2


        Double.apply(T.ones(2, requires_grad=True))
    """,
    chapter="20_custom_functions",
)
add(
    "save-a-number",
    "TypeError",
    "save_for_backward can only save variables",
    cause="save_for_backward takes tensors. Anything else is set as an attribute of ctx.",
    program="""
        class Scale(T.autograd.Function):
            @staticmethod
            def forward(ctx, x, factor):
                ctx.save_for_backward(factor)
                return x * factor


        Scale.apply(T.ones(2, requires_grad=True), 3.0)
    """,
    mend="""
        class Scale(T.autograd.Function):
            @staticmethod
            def forward(ctx, x, factor):
                ctx.factor = factor
                return x * factor


        Scale.apply(T.ones(2, requires_grad=True), 3.0)
    """,
    unless="A tensor set as an attribute is no error, and a trap: if it is overwritten before the backward, nobody "
    "notices.",
    silent="""
        class Square(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.x = x
                return x * x

            @staticmethod
            def backward(ctx, g):
                return g * 2 * ctx.x


        w = T.ones(2, requires_grad=True)
        h = w.clone()
        loss = Square.apply(h).sum()
        h.zero_()
        loss.backward()
        assert w.grad.tolist() == [0.0, 0.0]  # 2 would be right
    """,
    chapter="20_custom_functions",
)
add(
    "once-differentiable",
    "RuntimeError",
    "trying to differentiate twice a function that was marked with @once_differentiable",
    cause="A second derivative goes through a backward that its author has marked as not to be differentiated again.",
    program="""
        class Square(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * x

            @staticmethod
            @T.autograd.function.once_differentiable
            def backward(ctx, g):
                (x,) = ctx.saved_tensors
                return g * 2 * x


        w = T.ones(2, requires_grad=True)
        (g,) = T.autograd.grad(Square.apply(w).exp().sum(), w, create_graph=True)
        g.sum().backward()
    """,
    mend="""
        class Square(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * x

            @staticmethod
            def backward(ctx, g):
                (x,) = ctx.saved_tensors
                return g * 2 * x


        w = T.ones(2, requires_grad=True)
        (g,) = T.autograd.grad(Square.apply(w).exp().sum(), w, create_graph=True)
        g.sum().backward()
    """,
    unless="The first derivative is not concerned.",
    silent="""
        class Square(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * x

            @staticmethod
            @T.autograd.function.once_differentiable
            def backward(ctx, g):
                (x,) = ctx.saved_tensors
                return g * 2 * x


        w = T.ones(2, requires_grad=True)
        Square.apply(w).exp().sum().backward()
    """,
    chapter="12_second_order",
)
add(
    "checkpoint-ran-differently",
    "CheckpointError",
    "A different number of tensors was saved during the original forward and recomputation",
    cause="checkpoint() runs the function again in backward(), and this time it took another branch.",
    program="""
        runs = []


        def block(x):
            runs.append(x)
            return x.exp() if len(runs) == 1 else x * 2


        w = T.ones(2, requires_grad=True)
        T.utils.checkpoint.checkpoint(block, w, use_reentrant=False).sum().backward()
    """,
    mend="""
        def block(x):
            return x.exp()


        w = T.ones(2, requires_grad=True)
        T.utils.checkpoint.checkpoint(block, w, use_reentrant=False).sum().backward()
    """,
    unless="If the second run saves values of the same number and shape, other values go unnoticed, and the gradient "
    "is wrong.",
    silent="""
        runs = []


        def block(x):
            runs.append(x)
            return (x * len(runs)).exp()


        w = T.ones(2, requires_grad=True)
        T.utils.checkpoint.checkpoint(block, w, use_reentrant=False).sum().backward()
    """,
    chapter="20_custom_functions",
)
add(
    "hook-on-a-constant",
    "RuntimeError",
    "cannot register a hook on a tensor that doesn't require gradient",
    cause="No gradient will come by, so the hook would never run.",
    program="""
        T.ones(2).register_hook(print)
    """,
    mend="""
        T.ones(2, requires_grad=True).register_hook(print)
    """,
    unless="Whether a pass will ever reach the tensor is not asked.",
    silent="""
        w = T.ones(2, requires_grad=True)
        w.register_hook(print)  # and nobody uses w
    """,
    chapter="17_reverse_pass",
)
add(
    "hook-returned-a-number",
    "TypeError",
    "expected Variable, but hook returned",
    "expected hook to return a Tensor or None",
    cause="What a hook returns takes the place of the gradient, so it is a tensor or None.",
    program="""
        w = T.ones(2, requires_grad=True)
        w.register_hook(lambda g: g.sum().item())
        w.sum().backward()
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        w.register_hook(lambda g: g * g.sum().item())
        w.sum().backward()
    """,
    unless="A hook without a return statement returns None, which leaves the gradient as it is.",
    silent="""
        norms = []


        def note(g):
            norms.append(g.sum().item())


        w = T.ones(2, requires_grad=True)
        w.register_hook(note)
        w.sum().backward()
    """,
    chapter="17_reverse_pass",
)
add(
    "stored-hook-on-a-result",
    "RuntimeError",
    "post accumulate grad hooks cannot be registered on non-leaf tensors",
    cause="These hooks run once a gradient has been stored, and in the result of an operation none is stored.",
    program="""
        w = T.ones(2, requires_grad=True)
        h = w * 2
        h.register_post_accumulate_grad_hook(print)
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        w.register_post_accumulate_grad_hook(print)
        h = w * 2
    """,
    unless="register_hook() is for both: it runs when the gradient comes by.",
    silent="""
        w = T.ones(2, requires_grad=True)
        h = w * 2
        h.register_hook(print)
    """,
    chapter="17_reverse_pass",
)
add(
    "pack-hook-writes",
    "RuntimeError",
    "A saved tensor pack hook is modifying its input in place",
    cause="The hook is given the very tensor that the computation goes on with, and changed it.",
    program="""
        hooks = T.autograd.graph.saved_tensors_hooks
        w = T.ones(2, requires_grad=True)
        with hooks(lambda t: t.mul_(2), lambda t: t / 2):
            w.exp()
    """,
    mend="""
        hooks = T.autograd.graph.saved_tensors_hooks
        w = T.ones(2, requires_grad=True)
        with hooks(lambda t: t * 2, lambda t: t / 2):
            w.exp()
    """,
    unless="What the hook returns is its own affair: a copy, a number, the name of a file.",
    silent="""
        hooks = T.autograd.graph.saved_tensors_hooks
        w = T.ones(2, requires_grad=True)
        with hooks(lambda t: t.tolist(), T.tensor):
            w.exp().sum().backward()
    """,
    chapter="20_custom_functions",
)
add(
    "hook-changed-the-shape",
    "RuntimeError",
    "has changed the size of value",
    "hook changed the shape of the gradient",
    cause="What a hook returns takes the place of the gradient, and must have its shape.",
    program="""
        w = T.ones(2, requires_grad=True)
        w.register_hook(lambda g: g.sum())
        w.sum().backward()
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        w.register_hook(lambda g: g.sum().expand(2))
        w.sum().backward()
    """,
    unless="A hook that returns None only looks.",
    silent="""
        w = T.ones(2, requires_grad=True)
        w.register_hook(lambda g: None)
        w.sum().backward()
    """,
    chapter="17_reverse_pass",
)
