"""The explicit runtime: eager differentiation in which the context, the engine and the session are named at every call.

It is the interface of tenferro-rs (a Rust crate) in Python, over the same graph, rules and reverse pass as the rest of
this package. Three objects take the place of PyTorch's hidden state: an `EagerRuntime` knows which tensors belong
together, a `CpuEngine` computes, and an `EagerSession` lends the engine to the runtime's operations.

>>> from autograd_core import eager
>>> rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
>>> x = rt.variable_from([1.0, 2.0])
>>> with rt.session(engine) as s:
...     loss = s.reduce_sum(s.mul(s.sin(x), s.mul(x, x)), None)
>>> grads = loss.backward(engine)
>>> len(grads), x.grad()
(1, array([2.22324428, 1.97260236]))

Where a name cannot be spelled as in Rust, its documentation says what it stands for: `&mut engine` is the engine, a
`Result` an exception, `Some(&[0])` a tuple, a guard's scope its `with` block. Values are NumPy arrays that cannot be
written. Left out are complex numbers, integer variables, caches of compiled programs, and other devices than the CPU.
"""

from .arrays import from_vec_col_major
from .configs import CompareDir, DotGeneralConfig, GatherConfig, PadConfig, ScatterConfig, SliceConfig
from .cpu_engine import CpuEngine
from .errors import (
    AdRuleSource,
    AxisOutOfBounds,
    ContextMismatch,
    DTypeMismatch,
    EagerError,
    EinsumError,
    InactiveInput,
    InvalidArgument,
    NonScalarGrad,
    NumericalFailure,
    RankMismatch,
    RuntimeState,
    ShapeMismatch,
    Unsupported,
    UnsupportedAdRule,
    Validation,
)
from .gradients import Gradients
from .guards import EagerNoGradGuard, EagerTraceCaptureGuard
from .runtime import EagerRuntime
from .session import EagerSession
from .tensor import ContextId, EagerTensor
