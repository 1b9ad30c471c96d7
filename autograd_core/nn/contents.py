"""What a module holds: parameters, buffers and other modules, each by name in a dict of its own.

Assigning to an attribute puts a value into the dict of its type; reading one that is not an ordinary attribute looks
into the dicts. They are the truth, and programs may walk and change them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ..core.tensor import Parameter, Tensor
from .parameter import Buffer, UninitializedBuffer

if TYPE_CHECKING:
    from .module import Module


# Called with each parameter, buffer or child that any module is given: `nn.modules.module` registers them.
parameter_hooks: OrderedDict[int, Callable] = OrderedDict()
buffer_hooks: OrderedDict[int, Callable] = OrderedDict()
module_hooks: OrderedDict[int, Callable] = OrderedDict()


def registered(hooks: OrderedDict[int, Callable], module: Contents, name: str, value) -> Any:
    """What takes the place of a value that is being registered: it, or what a hook has returned for it."""
    for hook in list(hooks.values()):
        changed = hook(module, name, value)
        value = value if changed is None else changed
    return value


class Held:
    """A parameter that a layer reads at every call: a class that declares its name finds it in a fifth of the time.

    Whatever else has the name, and what is not there, is found or missed as without it.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, module, owner: type | None = None):
        if module is None:
            return self
        try:
            return module._parameters[self.name]
        except KeyError:
            raise AttributeError(self.name) from None  # Python asks __getattr__ next


class Contents:
    """The part of a `Module` that holds things and finds them."""

    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Module | None]
    _non_persistent_buffers_set: set[str]

    # -- attributes

    if not TYPE_CHECKING:  # a type checker reads the annotations of a subclass instead

        def __getattr__(self, name: str):
            if name != "_parameters":
                if name in self._parameters:
                    return self._parameters[name]
                if name in self._modules:
                    return self._modules[name]
                if name in self._buffers:
                    return self._buffers[name]
            if isinstance(getattr(type(self), name, None), property):
                return object.__getattribute__(self, name)  # it has failed: let its own error be seen
            raise AttributeError(
                f"'{type(self).__name__}' object has no attribute '{name}'{self._not_begun()}", name=name, obj=self
            )

    def _not_begun(self) -> str:
        if "_parameters" in vars(self):
            return ""
        return f" before Module.__init__() call: begin {type(self).__name__}.__init__ with super().__init__()"

    def __setattr__(self, name: str, value) -> None:
        if "_parameters" not in vars(self):
            self._set_before_init(name, value)
        elif isinstance(value, Parameter):
            self._leave_only(self._parameters, name)
            self.register_parameter(name, value)
        elif name in self._parameters:
            self._check_place(value is None, name, value, "parameter", "wrap the tensor in nn.Parameter(...), or ")
            self.register_parameter(name, None)
        elif isinstance(value, Contents):
            self._leave_only(self._modules, name)
            self._modules[name] = registered(module_hooks, self, name, value)
        elif name in self._modules:
            self._check_place(value is None, name, value, "child module")
            self._modules[name] = registered(module_hooks, self, name, None)
        elif isinstance(value, (Buffer, UninitializedBuffer)):
            self.register_buffer(name, value, value.persistent)
        elif name in self._buffers:
            self._check_place(value is None or isinstance(value, Tensor), name, value, "buffer")
            self.register_buffer(name, value, name not in self._non_persistent_buffers_set)
        else:
            object.__setattr__(self, name, value)

    def _set_before_init(self, name: str, value) -> None:
        kinds = {Parameter: "parameters", Contents: "module", Buffer: "buffer"}
        for kind, what in kinds.items():
            if isinstance(value, kind):
                raise AttributeError(f"cannot assign {what}{self._not_begun()}")
        object.__setattr__(self, name, value)

    def _leave_only(self, place: dict, name: str) -> None:
        """Take a name out of everything but one dict, in which it may keep its place."""
        for held in (vars(self), self._parameters, self._buffers, self._modules):
            if held is not place:
                held.pop(name, None)
        self._non_persistent_buffers_set.discard(name)

    @staticmethod
    def _check_place(fits: bool, name: str, value, kind: str, remedy: str = "") -> None:
        if not fits:
            raise TypeError(
                f"cannot assign '{type(value).__name__}' as {kind} '{name}' (a {kind} or None expected): {remedy}"
                "delete the attribute"
            )

    def __delattr__(self, name: str) -> None:
        for held in (self._parameters, self._buffers, self._modules):
            if name in held:
                del held[name]
                if held is self._buffers:
                    self._non_persistent_buffers_set.discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        names = {*object.__dir__(self), *self._parameters, *self._buffers, *self._modules}
        return sorted(name for name in names if not name[0].isdigit())

    # -- adding by name

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Add a parameter by name, or None for one that is left out.

        Raises KeyError for a name that is taken, has a dot or is empty, TypeError for a value of another type, and
        ValueError for the result of an operation.
        """
        self._check_name(name, "parameter", "_parameters")
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{type(param).__name__}' object to parameter '{name}' (nn.Parameter or None required)"
            )
        if param is not None and param.grad_fn is not None:
            raise ValueError(
                f"Cannot assign non-leaf Tensor to parameter '{name}': it is the result of {param.grad_fn.name()}. "
                "Compute what depends on other tensors in forward()."
            )
        self._parameters[name] = param if param is None else registered(parameter_hooks, self, name, param)

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Add a tensor that is state but not trained, such as a running mean.

        Only a persistent one is in the `state_dict`.

        Raises KeyError for a name that is taken, has a dot or is empty, TypeError for a value that is not a tensor or
        None.
        """
        self._check_name(name, "buffer", "_buffers")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{type(tensor).__name__}' object to buffer '{name}' (Tensor or None required)"
            )
        self._buffers[name] = registered(buffer_hooks, self, name, tensor)
        note = self._non_persistent_buffers_set.discard if persistent else self._non_persistent_buffers_set.add
        note(name)

    def add_module(self, name: str, module: Module | None) -> None:
        """Add a child by name.

        Raises KeyError for a name that is taken, has a dot or is empty, TypeError for a value of another type.
        """
        if module is not None and not isinstance(module, Contents):
            raise TypeError(f"{type(module).__name__} is not a Module subclass: cannot add it as module '{name}'")
        self._check_name(name, "module", "_modules")
        self._modules[name] = registered(module_hooks, self, name, module)

    def register_module(self, name: str, module: Module | None) -> None:
        """PyTorch's other name for `add_module`."""
        self.add_module(name, module)

    def _check_name(self, name: str, what: str, place: str) -> None:
        if place not in vars(self):
            raise AttributeError(f"cannot assign {what}{self._not_begun()}")
        if not isinstance(name, str):
            raise TypeError(f"{what} name should be a string. Got {type(name).__name__}")
        if not name or "." in name:
            raise KeyError(f"{what} name can't be empty or contain '.', got {name!r}")
        if hasattr(self, name) and name not in vars(self)[place]:
            raise KeyError(f"attribute '{name}' already exists")

    # -- finding by dotted name

    def get_submodule(self, target: str) -> Module:
        """The module below this one with the dotted name `target`; this one for "". AttributeError if there is none.

        >>> import autograd_core as ac
        >>> ac.nn.Sequential(ac.nn.Sequential(ac.nn.Tanh())).get_submodule("0.0")
        Tanh()
        """
        module: Any = self
        for name in target.split(".") if target else []:
            module = module._found(name)
            if not isinstance(module, Contents):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return module

    def set_submodule(self, target: str, module: Module, strict: bool = False) -> None:
        """Put a module in the place with the dotted name `target`; with `strict` there must be one already.

        AttributeError where the name leads to something else, ValueError for no name or what is no module.

        >>> import autograd_core as ac
        >>> net = ac.nn.Sequential(ac.nn.Sequential(ac.nn.Tanh()))
        >>> net.set_submodule("0.0", ac.nn.ReLU()); net[0][0]
        ReLU()
        """
        if not target:
            raise ValueError("Cannot set the submodule without a target name!")
        if not isinstance(module, Contents):
            raise ValueError(f"`module` is not an nn.Module, found {type(module).__name__}")
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path)
        if strict or hasattr(parent, name):
            parent.get_submodule(name)
        setattr(parent, name, module)

    def get_parameter(self, target: str) -> Parameter:
        """The parameter with the dotted name `target`. AttributeError if there is none.

        >>> import autograd_core as ac
        >>> ac.nn.Sequential(ac.nn.Linear(2, 3)).get_parameter("0.weight").shape
        Size([3, 2])
        """
        path, _, name = target.rpartition(".")
        parameter = self.get_submodule(path)._found(name)
        if not isinstance(parameter, Parameter):
            raise AttributeError(f"`{name}` is not an nn.Parameter")
        return parameter

    def get_buffer(self, target: str) -> Tensor:
        """The buffer with the dotted name `target`. AttributeError if there is none."""
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        buffer = module._found(name)
        if name not in module._buffers:
            raise AttributeError(f"`{name}` is not a buffer of {type(module).__name__}")
        return buffer

    def _found(self, name: str):
        if not hasattr(self, name):
            raise AttributeError(f"{type(self).__name__} has no attribute `{name}`")
        return getattr(self, name)

    # -- walking; each walk takes what there is when it reaches a module, so that its body may add to it

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """Direct children with their names, each once."""
        seen = set()
        for name, child in list(self._modules.items()):
            if child is not None and child not in seen:
                seen.add(child)
                yield name, child

    def children(self) -> Iterator[Module]:
        """Direct children, each once."""
        return (child for _, child in self.named_children())

    def named_modules(
        self, memo: set | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
        """This module (its name is `prefix`) and all below it, with dotted names, each once.

        Without `remove_duplicate` one that is held several times comes under each name.
        """
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self  # type: ignore[misc]
        for name, child in list(self._modules.items()):
            if child is not None:
                yield from child.named_modules(memo, f"{prefix}.{name}" if prefix else name, remove_duplicate)

    def modules(self, remove_duplicate: bool = True) -> Iterator[Module]:
        """This module and all below it, each once, or with `remove_duplicate=False` as often as it is held."""
        return (module for _, module in self.named_modules(remove_duplicate=remove_duplicate))

    def _named_members(
        self, get_members_fn, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """What `get_members_fn(module)`, pairs of a name and a value, gives for this module and all below it."""
        seen = set()
        walk = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for path, module in walk:
            for name, value in list(get_members_fn(module)):
                if value is None or value in seen:
                    continue
                if remove_duplicate:
                    seen.add(value)
                yield f"{path}.{name}" if path else name, value

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """Parameters with dotted names; one that is shared comes once, under its first name.

        Without `remove_duplicate` it comes under each.
        """
        return self._named_members(lambda module: module._parameters.items(), prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """Parameters of this module and (`recurse`) of all below it, each once: what an optimizer takes."""
        return (parameter for _, parameter in self.named_parameters(recurse=recurse))

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """Buffers with dotted names, each once, or with `remove_duplicate=False` under each name."""
        return self._named_members(lambda module: module._buffers.items(), prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """Buffers of this module and (`recurse`) of all below it, each once."""
        return (buffer for _, buffer in self.named_buffers(recurse=recurse))
