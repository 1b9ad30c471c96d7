"""Messages of gradcheck, and of other ways to differentiate."""

from .entry import Section

SECTION = Section()
add = SECTION.add

add(
    "jacobian-mismatch",
    "GradcheckError",
    "Jacobian mismatch for output",
    cause="The derivative by backward and the one by small steps differ. The rule is wrong, or the function has a "
    "kink here, or the step is too coarse for the dtype.",
    program="""
        class Square(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * x

            @staticmethod
            def backward(ctx, g):
                (x,) = ctx.saved_tensors
                return g * x


        w = T.ones(2, dtype=T.float64, requires_grad=True)
        T.autograd.gradcheck(Square.apply, w)
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


        w = T.ones(2, dtype=T.float64, requires_grad=True)
        T.autograd.gradcheck(Square.apply, w)
    """,
    unless="A wrong rule passes at a point where it happens to be right: here at 0.",
    silent="""
        class Square(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * x

            @staticmethod
            def backward(ctx, g):
                (x,) = ctx.saved_tensors
                return g * x


        w = T.zeros(2, dtype=T.float64, requires_grad=True)
        T.autograd.gradcheck(Square.apply, w)
    """,
    chapter="10_gradcheck",
)
add(
    "gradcheck-of-constants",
    "ValueError",
    "gradcheck expects at least one input tensor to require gradient",
    cause="There is nothing to check: no input requires gradients.",
    program="""
        T.autograd.gradcheck(T.exp, T.ones(2, dtype=T.float64))
    """,
    mend="""
        T.autograd.gradcheck(T.exp, T.ones(2, dtype=T.float64, requires_grad=True))
    """,
    unless="Inputs that require none beside one that does are held fixed.",
    silent="""
        w = T.ones(2, dtype=T.float64, requires_grad=True)
        T.autograd.gradcheck(T.mul, (w, T.ones(2, dtype=T.float64)))
    """,
    chapter="10_gradcheck",
)
add(
    "gradcheck-in-float32",
    "UserWarning",
    "requires gradient and is not a double precision floating point",
    cause="In float32 the rounding of a small step is as large as the difference that it is to measure.",
    program="""
        w = T.ones(2, requires_grad=True)
        T.autograd.gradcheck(T.exp, w, eps=1e-2, atol=1e-1)
    """,
    mend="""
        w = T.ones(2, dtype=T.float64, requires_grad=True)
        T.autograd.gradcheck(T.exp, w)
    """,
    unless="Only inputs that require gradients count.",
    silent="""
        w = T.ones(2, dtype=T.float64, requires_grad=True)
        T.autograd.gradcheck(T.mul, (w, T.ones(2)))
    """,
    chapter="10_gradcheck",
)
add(
    "hessian-of-several",
    "RuntimeError",
    "The Tensor returned by the function given to hessian should contain a single element",
    cause="A Hessian is the second derivative of one number.",
    program="""
        T.autograd.functional.hessian(lambda x: x * x, T.ones(2))
    """,
    mend="""
        T.autograd.functional.hessian(lambda x: (x * x).sum(), T.ones(2))
    """,
    unless="jacobian() takes a function of any shape.",
    silent="""
        T.autograd.functional.jacobian(lambda x: x * x, T.ones(2))
    """,
    chapter="12_second_order",
)
add(
    "grad-of-several",
    "RuntimeError",
    "to return a scalar Tensor, got tensor with",
    cause="func.grad makes the gradient function of a function with one number as its value.",
    program="""
        T.func.grad(lambda x: x * x)(T.ones(2))
    """,
    mend="""
        T.func.grad(lambda x: (x * x).sum())(T.ones(2))
    """,
    unless="func.vjp takes any function, and asks for the seed.",
    silent="""
        y, vjp = T.func.vjp(lambda x: x * x, T.ones(2))
        vjp(T.ones(2))
    """,
    chapter="19_forward_mode",
)
add(
    "no-forward-level",
    "RuntimeError",
    "Trying to create a dual Tensor for forward AD but no level exists",
    cause="A tangent lives within a dual_level() block, and none is open.",
    program="""
        T.autograd.forward_ad.make_dual(T.ones(2), T.ones(2))
    """,
    mend="""
        with T.autograd.forward_ad.dual_level():
            T.autograd.forward_ad.make_dual(T.ones(2), T.ones(2))
    """,
    unless="func.jvp opens a level by itself.",
    silent="""
        T.func.jvp(T.exp, (T.ones(2),), (T.ones(2),))
    """,
    chapter="19_forward_mode",
)
add(
    "level-in-a-level",
    "RuntimeError",
    "Nested forward mode AD is not supported",
    cause="dual_level() was opened within another.",
    program="""
        with T.autograd.forward_ad.dual_level():
            with T.autograd.forward_ad.dual_level():
                pass
    """,
    mend="""
        T.func.jvp(lambda x: T.func.jvp(T.exp, (x,), (T.ones(2),))[1], (T.ones(2),), (T.ones(2),))
    """,
    unless="One after the other is no nesting.",
    silent="""
        for _ in range(2):
            with T.autograd.forward_ad.dual_level():
                pass
    """,
    chapter="19_forward_mode",
)
add(
    "dual-of-a-dual",
    "RuntimeError",
    "Making a dual Tensor based on a Tensor that already has a",
    cause="The tensor has a tangent at this level, and would get a second one.",
    program="""
        fw = T.autograd.forward_ad
        with fw.dual_level():
            dual = fw.make_dual(T.ones(2), T.ones(2))
            fw.make_dual(dual, T.ones(2))
    """,
    mend="""
        fw = T.autograd.forward_ad
        with fw.dual_level():
            dual = fw.make_dual(T.ones(2), T.ones(2))
            fw.make_dual(fw.unpack_dual(dual).primal, T.ones(2))
    """,
    unless="The same values may be made dual as often as you like.",
    silent="""
        fw = T.autograd.forward_ad
        x = T.ones(2)
        with fw.dual_level():
            fw.make_dual(x, T.ones(2))
            fw.make_dual(x, T.zeros(2))
    """,
    chapter="19_forward_mode",
)
