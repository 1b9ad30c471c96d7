"""Everything public of the explicit runtime explains itself with an example; `pytest autograd_core` runs them."""

import inspect

import pytest

from autograd_core import eager

EXPORTED = {name: value for name, value in vars(eager).items() if name[0] != "_" and not inspect.ismodule(value)}
METHODS = {
    f"{owner.__name__}.{name}": inspect.getattr_static(owner, name)
    for owner in EXPORTED.values()
    if inspect.isclass(owner) and not issubclass(owner, (Exception, int))
    for name in dir(owner)
    if name[0] != "_" and not isinstance(owner, type(eager.CompareDir))
}


def documentation(value) -> str:
    return inspect.getdoc(getattr(value, "__func__", value)) or ""


@pytest.mark.parametrize("name", sorted(EXPORTED))
def test_what_is_exported_is_documented(name):
    value = EXPORTED[name]
    error = inspect.isclass(value) and issubclass(value, eager.EagerError) and value is not eager.EagerError
    assert documentation(value) and (error or ">>>" in documentation(value))


@pytest.mark.parametrize("name", sorted(n for n, m in METHODS.items() if callable(getattr(m, "__func__", m))))
def test_every_method_has_an_example(name):
    assert ">>>" in documentation(METHODS[name])


def test_the_session_has_the_operations_of_upstream():
    names = """
        constant_from constant_from_host variable_from duplicate_value neg exp abs conj sign log sqrt rsqrt sin cos
        tanh expm1 log1p erf convert cast scale_real add sub mul div rem pow maximum minimum compare where_select
        select clamp
        reduce_sum reduce_sum_squares reduce_prod reduce_max reduce_min reduce_mean dot_general dot_general_with_conj
        matmul transpose reshape slice broadcast_in_dim pad reverse concatenate stack tril triu extract_diag embed_diag
        gather scatter dynamic_slice index_select take_axis take_rows take_cols take_block slice_axis take_along_axis
        sigmoid silu softplus gelu gelu_tanh softmax log_softmax masked_softmax masked_log_softmax layer_norm rms_norm
        apply_standard_op einsum tensordot cholesky svd svd_full qr triangular_solve solve lstsq lu slogdet det inv
        eigvalsh eigh pinv
    """.split()  # noqa: SIM905 (as a list it takes a hundred lines)
    public = {name for name in dir(eager.EagerSession) if name[0] != "_"} - {"close"}
    assert public == set(names)


def test_a_table_entry_becomes_a_method_with_a_signature_and_a_meaning():
    assert str(inspect.signature(eager.EagerSession.neg)) == "(self, x: 'EagerTensor') -> 'EagerTensor'"
    signature = inspect.signature(eager.EagerSession.mul)
    assert str(signature) == "(self, x: 'EagerTensor', y: 'EagerTensor') -> 'EagerTensor'"
    assert documentation(eager.EagerSession.mul).startswith("x y. Stands for `s.mul(&x, &y)?`.")
    with pytest.raises(TypeError, match=r"mul\(\) missing 1 required positional argument: 'y'"):
        eager.EagerSession.mul(None, None)
