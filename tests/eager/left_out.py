"""What of the upstream interface and its tests has no counterpart here, and why."""

COMPLEX = "this package has real numbers only"
INTEGERS = "a variable is floating, as in PyTorch; integers are constants"
RUST = "the compiler checks it in Rust; there is nothing to check at run time in Python"
NO_PROGRAM = "there are no compiled programs here, so no caches of them: a derivative is computed by walking the trace"
STORAGE = "column-major order is kept at the border only; inside, arrays are NumPy's and row-major"
BACKENDS = "there is one backend, the CPU"

METHODS = {
    "scale_complex": COMPLEX,
    "eig": COMPLEX,
    "eigvals": COMPLEX,
    "eigh_with_options": "no options beyond the default",
    "svd_with_options": "no options beyond the default",
    "qr_with_options": "no options beyond the default",
    "einsum_notation": "subscripts are text; a parsed form would be a second way to say the same",
    "einsum_subscripts": "subscripts are text; a parsed form would be a second way to say the same",
    "backend_session": BACKENDS,
    "with_extension_caches": NO_PROGRAM,
    "cache_stats": NO_PROGRAM,
    "clear_caches": NO_PROGRAM,
    "synchronize": BACKENDS,
    "install_extension_module": "a custom operation is an `ac.autograd.Function`, used with `apply_standard_op`",
    "into_value": "nothing is consumed in Python: value() is a view, duplicate_value() a copy",
    "slice_builder": "s.slice, s.slice_axis and s.take_axis say the same",
    "enable_grad": "absent upstream",
    "retain_grad": "absent upstream",
}

TESTS = {
    "eager_backward_seed_for_integer_scalar_does_not_call_float_analytic_ops": INTEGERS,
    "promote_i64_mul_c64_eager": COMPLEX,
    "mixed_add_semantic_jvp_vjp_promotes_f64_c64_and_f32_c32_in_both_orders": COMPLEX,
    "runtime_bound_conjugating_dot_preserves_fast_and_tracked_paths": COMPLEX,
    "eager_gather_keeps_indices_integer_for_complex_operand": COMPLEX,
    "eager_index_select_keeps_indices_integer_for_complex_operand": COMPLEX,
    "eager_dot_general_with_conj_uses_untracked_fast_path": COMPLEX,
    "eager_structural_primal_ops_transpose_and_reshape (reshape)": STORAGE,
    "into_value_refuses_a_view_layout_instead_of_changing_values": STORAGE,
    "eager_untracked_structural_ops_return_lazy_views": STORAGE,
    "eager_tracked_structural_ops_return_lazy_views_and_backprop (strides)": STORAGE,
    "eager_runtime_ad_transform_cache_reuses": NO_PROGRAM,
    "eager_prepared_derivative_cache_reuses_runtime_preparation": NO_PROGRAM,
    "eager_prepared_derivative_cache_is_visible_and_clearable": NO_PROGRAM,
    "eager_prepared_derivative_cache_limit_evicts_lru_entries": NO_PROGRAM,
    "eager_recording_retains_symbolic_semantic_trace_for_shape_churn": NO_PROGRAM,
    "cached_execution_rebinds_residuals_for_each_forward (cache counts)": NO_PROGRAM,
    "eager_runtime_public_helpers_do_not_unwrap_poisoned_locks": RUST,
    "eager_runtime_gradient_helpers_do_not_unwrap_poisoned_locks": RUST,
    "eager_send_sync_contracts_compile": RUST,
    "gradients_take_grad_preserves_group_error_source": RUST,
    "zero_like/one_like_tensor_covers": RUST,
    "placement_bound_session_reuses_runtime_identity_and_requested_placement": BACKENDS,
}
