"""Which entries of PyTorch's op database are claimed: all that are differentiable there, but for those left out here.

An entry is named after its op, with its variant after a dot. Every entry left out has its reason, and so has every
check that a claimed one is excused from.
"""

COMPLEX = "its input or its result is complex; autograd_core computes with real numbers"
SPARSE = "it makes or takes sparse tensors"
RANDOM = "its samples draw random numbers, which differ between the libraries"
PRIVATE = "a private op, or one that PyTorch calls for itself, and not part of its documented interface"
COPY = "the copying twin of a view, for PyTorch's functionalization; view(...).clone() says the same"
BFLOAT16 = "NumPy has no bfloat16"

LEFT_OUT = {
    **dict.fromkeys(
        [
            *("cdouble", "cfloat", "chalf", "complex", "polar", "view_as_complex", "stft"),
            *("linalg.eig", "linalg.eigvals"),
            *(
                f"fft.{inverse}{kind}{axes}"
                for inverse in ("", "i")
                for kind in ("fft", "rfft", "hfft")
                for axes in "2n"
            ),
            *(f"fft.{inverse}{kind}" for inverse in ("", "i") for kind in ("fft", "rfft", "hfft")),
            *("fft.fftshift", "fft.ifftshift"),
        ],
        COMPLEX,
    ),
    **dict.fromkeys(["sparse.mm.reduce", "sparse.sampled_addmm", "to_sparse"], SPARSE),
    **dict.fromkeys(
        [
            *("bernoulli", "normal", "normal.number_mean", "svd_lowrank", "pca_lowrank"),
            *("nn.functional.dropout", "nn.functional.dropout2d", "nn.functional.dropout3d"),
            *("nn.functional.alpha_dropout", "nn.functional.feature_alpha_dropout.with_train"),
            "nn.functional.multi_head_attention_forward",  # its one differentiable sample drops half of the weights
            *("nn.functional.rrelu", "nn.functional.fractional_max_pool2d", "nn.functional.fractional_max_pool3d"),
        ],
        RANDOM,
    ),
    **dict.fromkeys(
        [
            *("_batch_norm_with_update", "_native_batch_norm_legit", "_segment_reduce.lengths"),
            *("_segment_reduce.offsets", "_softmax_backward_data", "_unsafe_masked_index"),
            *("_unsafe_masked_index_put_accumulate", "_upsample_bilinear2d_aa", "constant_pad_nd", "grid_sampler_2d"),
            *("grid_sampler_3d", "max_pool2d_with_indices_backward", "native_batch_norm", "native_dropout_backward"),
            *("native_group_norm", "native_layer_norm", "slice", "torch.ops.aten._safe_softmax.default"),
        ],
        PRIVATE,
    ),
    **dict.fromkeys(
        [
            *("alias_copy", "as_strided_copy", "diagonal_copy", "expand_copy", "narrow_copy", "permute_copy"),
            *("split_with_sizes_copy", "squeeze_copy", "t_copy", "transpose_copy", "unbind_copy", "unfold_copy"),
            *("unsqueeze_copy", "view_copy"),
        ],
        COPY,
    ),
    "bfloat16": BFLOAT16,
}

# (entry, check) -> why a claimed entry is excused from one check; the checks are the tests of test_conformance.py.
EXCEPTIONS: dict[tuple[str, str], str] = {
    ("logcumsumexp", "jvps"): (
        "PyTorch's tangent is off by up to 1e-5, since it adds 1e-13 to a sum of exponentials; autograd_core's is exact"
    ),
    **dict.fromkeys(
        [(f"nn.functional.max_unpool{n}d", check) for n in (1, 2, 3) for check in ("jvps", "adjoint")],
        "where an index repeats, one value stays and PyTorch's gradient goes to all, so they are not transposes",
    ),
    ("cholesky_inverse", "jvps"): (
        "PyTorch's tangent is off by up to 1e-5 from the differences of its own values; autograd_core's is not"
    ),
    ("linalg.norm.subgradients_at_zero", "second_order"): (
        "of a zero vector, for ord 3.5 and below 0, PyTorch's reverse mode gives NaN where its forward mode gives 0; "
        "autograd_core gives 0 in both"
    ),
    ("masked.logaddexp", "second_order"): (
        "where one side is -inf PyTorch's second derivative is NaN; autograd_core has 0, the limit"
    ),
    (
        "nn.functional.ctc_loss",
        "second_order",
    ): "PyTorch raises: it has no second derivative of it, nor has autograd_core",
    **dict.fromkeys(
        [(f"nn.functional.linear_cross_entropy.{kind}", "second_order") for kind in ("chunked", "chunked_none")],
        "PyTorch has no second derivative in chunks, and raises or gives zeros; autograd_core has it",
    ),
    ("nn.functional.scaled_dot_product_attention", "second_order"): (
        "PyTorch raises: its fused kernel for four axes has no second derivative; autograd_core has it"
    ),
    **dict.fromkeys(
        [("as_strided_scatter", "vjps"), ("as_strided_scatter", "second_order")],
        "PyTorch's gradient for the input keeps what was written over and drops the rest; its forward mode is right",
    ),
    **dict.fromkeys(
        [("as_strided.partial_views", "jvps"), ("as_strided.partial_views", "adjoint")],
        "the view shows memory beside its input, where a tangent has none in autograd_core: as_strided raises",
    ),
}
