"""Messages about shapes, types and indices."""

from .entry import Section

SECTION = Section()
add = SECTION.add

add(
    "inner-sizes",
    "RuntimeError",
    "mat1 and mat2 shapes cannot be multiplied",
    cause="In a product of matrices the columns of the first must be as many as the rows of the second.",
    program="""
        T.ones(2, 3) @ T.ones(2, 3)
    """,
    mend="""
        T.ones(2, 3) @ T.ones(2, 3).T
    """,
    unless="Square matrices can always be multiplied, also when one of them should have been transposed.",
    silent="""
        T.ones(2, 2) @ T.ones(2, 2)
    """,
)
add(
    "channels",
    "RuntimeError",
    "expected input[",
    cause="A convolution is made for a number of channels, and the input has another one. Images come as batch, "
    "channels, height and width.",
    program="""
        image, weight = T.ones(1, 4, 4, 3), T.ones(1, 3, 2, 2)
        T.nn.functional.conv2d(image, weight)
    """,
    mend="""
        image, weight = T.ones(1, 4, 4, 3), T.ones(1, 3, 2, 2)
        T.nn.functional.conv2d(image.permute(0, 3, 1, 2), weight)
    """,
    unless="An input without the batch dimension is taken as one image.",
    silent="""
        image, weight = T.ones(3, 4, 4), T.ones(1, 3, 2, 2)
        T.nn.functional.conv2d(image, weight)
    """,
)
add(
    "no-broadcast",
    "RuntimeError",
    "at non-singleton dimension",
    cause="Two shapes are compared from the right; sizes must be equal, or one of them 1.",
    program="""
        T.ones(2, 3) + T.ones(2)
    """,
    mend="""
        T.ones(2, 3) + T.ones(2, 1)
    """,
    unless="Shapes that fit by accident give a larger result without a word.",
    silent="""
        assert (T.ones(2, 1) + T.ones(2)).shape == (2, 2)
    """,
)
add(
    "dtypes-of-a-product",
    "RuntimeError",
    "to have the same dtype, but got",
    "must have the same dtype, but got",
    cause="A matrix product does not convert, and the two have different dtypes. An array from NumPy is float64 "
    "unless told otherwise.",
    program="""
        T.ones(2, 2) @ T.ones(2, 2, dtype=T.float64)
    """,
    mend="""
        T.ones(2, 2) @ T.ones(2, 2, dtype=T.float64).float()
    """,
    unless="Elementwise operations convert to the wider of the two.",
    silent="""
        assert (T.ones(2) * T.ones(2, dtype=T.float64)).dtype == T.float64
    """,
)
add(
    "mean-of-integers",
    "RuntimeError",
    "could not infer output dtype",
    cause="The mean of integers is no integer, and the dtype of the result was not said.",
    program="""
        T.tensor([1, 2]).mean()
    """,
    mend="""
        T.tensor([1, 2]).float().mean()
    """,
    unless="A sum of integers is an integer.",
    silent="""
        T.tensor([1, 2]).sum()
    """,
)
add(
    "maximum-of-nothing",
    "RuntimeError",
    "Expected reduction dim to be specified for input.numel() == 0",
    "to have non-zero size",
    cause="The tensor has no elements, and of none there is no largest one. Often a mask has left nothing over.",
    program="""
        x = T.tensor([1.0, 2.0])
        kept = x[x > 3]
        kept.max()
    """,
    mend="""
        x = T.tensor([1.0, 2.0])
        kept = x[x > 3]
        if kept.numel() > 0:
            kept.max()
    """,
    unless="The sum of no numbers is 0, and their mean is NaN, which shows only later.",
    silent="""
        kept = T.zeros(0)
        assert kept.sum() == 0
        assert kept.mean().isnan()
    """,
)
add(
    "not-positive-definite",
    "LinAlgError",
    "the input is not positive-definite",
    cause="A Cholesky factor exists only of a matrix whose eigenvalues are all above 0. A covariance of fewer samples "
    "than variables has one that is 0, and rounding can bring a small one below it.",
    program="""
        x = T.tensor([[1.0, 2.0]])
        T.linalg.cholesky(x.mT @ x)
    """,
    mend="""
        x = T.tensor([[1.0, 2.0]])
        T.linalg.cholesky(x.mT @ x + 1e-3 * T.eye(2))
    """,
    unless="Only the lower triangle is read. That the matrix is not symmetric goes unnoticed.",
    silent="""
        T.linalg.cholesky(T.tensor([[2.0, 5.0], [1.0, 2.0]]))
    """,
)
add(
    "minus-a-bool",
    "RuntimeError",
    "Subtraction, the `-` operator, with",
    cause="1 - mask was meant to turn a mask around.",
    program="""
        mask = T.tensor([True, False])
        1 - mask
    """,
    mend="""
        mask = T.tensor([True, False])
        ~mask
    """,
    unless="A sum and a product of bools are counted as numbers.",
    silent="""
        mask = T.tensor([True, False])
        1 + mask, 2 * mask
    """,
)
add(
    "index-out-of-bounds",
    "IndexError",
    "is out of bounds for dimension",
    "is out of bounds for axis",
    cause="An index is as large as the dimension, or larger. They are counted from 0.",
    program="""
        T.ones(2)[2]
    """,
    mend="""
        T.ones(2)[1]
    """,
    unless="A slice is cut to what is there, down to nothing.",
    silent="""
        assert T.ones(2)[2:5].numel() == 0
    """,
)
add(
    "too-many-indices",
    "IndexError",
    "too many indices for tensor of dimension",
    cause="More dimensions were indexed than there are.",
    program="""
        T.ones(2)[0, 0]
    """,
    mend="""
        T.ones(2)[0]
    """,
    unless="None in an index adds a dimension, and takes none away.",
    silent="""
        T.ones(2)[0, None]
    """,
)
add(
    "no-such-dimension",
    "IndexError",
    "Dimension out of range",
    cause="An operation along a dimension was asked for one that the tensor does not have.",
    program="""
        T.ones(2).sum(1)
    """,
    mend="""
        T.ones(2).sum(0)
    """,
    unless="Negative dimensions count from the end: -1 is always the last.",
    silent="""
        T.ones(2).sum(-1)
    """,
)
add(
    "reshape",
    "RuntimeError",
    "is invalid for input of size",
    cause="A reshape keeps the number of elements.",
    program="""
        T.ones(4).reshape(3)
    """,
    mend="""
        T.ones(4).reshape(2, 2)
    """,
    unless="One size may be left to be computed, as -1.",
    silent="""
        T.ones(4).reshape(2, -1)
    """,
)
add(
    "not-a-view",
    "RuntimeError",
    "at least one dimension spans across two contiguous subspaces",
    cause="view() never copies, and these elements do not lie in memory as the new shape would need them.",
    program="""
        T.ones(2, 3).T.view(6)
    """,
    mend="""
        T.ones(2, 3).T.reshape(6)
    """,
    unless="reshape() copies where it must, so a write into its result may or may not reach the tensor.",
    silent="""
        T.ones(2, 3).view(6)
    """,
    chapter="18_views_and_writes",
)
add(
    "stack-of-unequal",
    "RuntimeError",
    "stack expects each tensor to be equal size",
    cause="stack() puts tensors of one shape side by side in a new dimension.",
    program="""
        T.stack([T.ones(2), T.ones(3)])
    """,
    mend="""
        T.cat([T.ones(2), T.ones(3)])
    """,
    unless="cat() joins along a dimension that is there, and may have different sizes in it.",
    silent="""
        T.stack([T.ones(2), T.ones(2)])
    """,
)
add(
    "cat-of-unequal",
    "RuntimeError",
    "Sizes of tensors must match except in dimension",
    cause="cat() joins along one dimension; in all others the sizes must be the same.",
    program="""
        T.cat([T.ones(2, 2), T.ones(2, 3)])
    """,
    mend="""
        T.cat([T.ones(2, 2), T.ones(2, 3)], dim=1)
    """,
    unless="An empty tensor of one dimension is passed over.",
    silent="""
        T.cat([T.ones(2, 2), T.ones(0)])
    """,
)
add(
    "a-number-for-a-tensor",
    "TypeError",
    "must be Tensor, not",
    cause="A function of tensors was given a Python number.",
    program="""
        T.exp(1.0)
    """,
    mend="""
        T.exp(T.tensor(1.0))
    """,
    unless="Beside a tensor a number is welcome.",
    silent="""
        T.ones(2) * 2.0
    """,
)
add(
    "loop-over-one-number",
    "TypeError",
    "iteration over a 0-d tensor",
    cause="A tensor without dimensions holds one number, and has no parts to go through.",
    program="""
        for loss in T.tensor(1.0):
            pass
    """,
    mend="""
        for loss in T.tensor([1.0]):
            pass
    """,
    unless="Where there is one dimension or more, the loop goes through the first.",
    silent="""
        for row in T.ones(2, 3):
            assert row.shape == (3,)
    """,
)
add(
    "no-such-name",
    "AttributeError",
    "module 'torch' has no attribute",
    "'Tensor' object has no attribute",
    "autograd_core has no",
    cause="The name is misspelled, or it is one of PyTorch's that autograd_core has not taken over; its message then"
    " says so.",
    program="""
        T.squared(T.ones(2))
    """,
    mend="""
        T.square(T.ones(2))
    """,
    unless="A module and its optimizer take new attributes of any name, so a misspelled one is set without a word.",
    silent="""
        layer = T.nn.Linear(2, 1)
        layer.wieght = None
    """,
)
