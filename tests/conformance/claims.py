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
            *("angle", "cdouble", "cfloat", "chalf", "complex", "polar", "view_as_complex", "stft"),
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
            "nn.functional.rrelu",
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
EXCEPTIONS: dict[tuple[str, str], str] = {}
