"""The state of a module: each module saves and loads its own part, and a load that fails changes nothing."""

import pickle

import pytest
import torch

import autograd_core as ac

LIBRARIES = pytest.mark.parametrize("T", [ac, torch], ids=["autograd_core", "torch"])


def plain(state):
    return {name: value.tolist() if hasattr(value, "tolist") else value for name, value in state.items()}


@LIBRARIES
def test_a_child_saves_and_loads_in_its_own_way(T):
    class Halved(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.w = T.nn.Parameter(T.ones(1))

        def _save_to_state_dict(self, destination, prefix, keep_vars):
            destination[prefix + "half"] = self.w.detach() / 2

        def _load_from_state_dict(self, state_dict, prefix, *rest):
            with T.no_grad():
                self.w.copy_(state_dict[prefix + "half"] * 2)

    class Quiet(T.nn.Linear):
        def state_dict(self, *args, **options):
            state = super().state_dict(*args, **options)
            state.pop(options["prefix"] + "bias")
            return state

    net = T.nn.Sequential(T.nn.Sequential(Halved()), Quiet(1, 1))
    state = net.state_dict()
    assert list(state) == ["0.0.half", "1.weight"] and state["0.0.half"].tolist() == [0.5]
    state["0.0.half"] = T.full((1,), 4.0)
    assert net.load_state_dict(state, strict=False).missing_keys == ["1.bias"]
    assert net[0][0].w.tolist() == [8.0]


@LIBRARIES
def test_a_part_that_is_loaded_is_there_for_the_child(T):
    class Doubling(T.nn.Linear):
        def _load_from_state_dict(self, *args):
            super()._load_from_state_dict(*args)
            self.doubled = 2 * self.weight.detach()

    net = T.nn.Sequential(Doubling(1, 1, bias=False))
    net.load_state_dict({"0.weight": T.full((1, 1), 3.0)})
    assert net[0].doubled.tolist() == [[6.0]]


@LIBRARIES
@pytest.mark.parametrize("extra", [3, {"a": 1}, "text", None])
def test_extra_state_is_saved_and_loaded(T, extra):
    class Counting(T.nn.Module):
        count = None

        def get_extra_state(self):
            return self.count

        def set_extra_state(self, state):
            self.count = state

    a, b = T.nn.Sequential(Counting()), T.nn.Sequential(Counting())
    a[0].count = extra
    state = a.state_dict()
    assert list(state) == ["0._extra_state"]
    assert repr(b.load_state_dict(state)) == "<All keys matched successfully>" and b[0].count == extra
    with pytest.raises(RuntimeError, match=r'Missing key\(s\) in state_dict: "0._extra_state"'):
        b.load_state_dict({})


@LIBRARIES
def test_extra_state_needs_both_methods(T):
    class Half(T.nn.Module):
        def get_extra_state(self):
            return 1

    class OtherHalf(T.nn.Module):
        def set_extra_state(self, state):
            pass

    with pytest.raises(RuntimeError, match="Unexpected key"):
        Half().load_state_dict(Half().state_dict())
    with pytest.raises(RuntimeError, match="Missing key"):
        OtherHalf().load_state_dict(OtherHalf().state_dict())


@LIBRARIES
def test_assign_puts_the_values_themselves_in_place(T):
    net = T.nn.Sequential(T.nn.Linear(2, 1, bias=False), T.nn.BatchNorm1d(1, affine=False))
    net[0].weight.requires_grad_(False)
    state = net.state_dict()
    state["0.weight"] = T.ones(1, 2, dtype=T.float64)
    state["1.running_mean"] = mean = T.full((1,), 5.0)
    net.load_state_dict(state, assign=True)
    assert net[0].weight.dtype == T.float64 and isinstance(net[0].weight, T.nn.Parameter)
    assert not net[0].weight.requires_grad and net[0].weight.data_ptr() == state["0.weight"].data_ptr()
    assert net[1].running_mean is mean


@LIBRARIES
def test_hooks_of_saving(T):
    net, seen = T.nn.Sequential(T.nn.Linear(1, 1)), []
    net[0].register_state_dict_pre_hook(lambda module, prefix, keep_vars: seen.append((prefix, keep_vars)))
    handle = net[0].register_state_dict_post_hook(
        lambda module, state, prefix, local: state.pop(prefix + "bias") and None
    )
    assert list(net.state_dict(keep_vars=True)) == ["0.weight"] and seen == [("0.", True)]
    handle.remove()
    assert list(net.state_dict()) == ["0.weight", "0.bias"]
    net._register_state_dict_hook(lambda module, state, prefix, local: {"all": len(state)})
    assert net.state_dict() == {"all": 2}
    other = T.nn.ReLU()
    other.register_state_dict_post_hook(lambda *_: {})
    with pytest.raises(RuntimeError, match="state_dict post-hook must return None"):
        other.state_dict()


@LIBRARIES
def test_hooks_of_loading(T):
    net, seen = T.nn.Sequential(T.nn.Linear(1, 1)), []

    def rename(module, state, prefix, local, strict, missing, unexpected, problems):
        assert module is net[0]
        state[prefix + "bias"] = state.pop(prefix + "shift")

    net[0].register_load_state_dict_pre_hook(rename)
    net.register_load_state_dict_post_hook(lambda module, keys: seen.append((module is net, list(keys.missing_keys))))
    net.load_state_dict({"0.weight": T.ones(1, 1), "0.shift": T.full((1,), 7.0)})
    assert net[0].bias.tolist() == [7.0] and seen == [(True, [])]
    net.register_load_state_dict_post_hook(lambda module, keys: keys)
    with pytest.raises(AssertionError, match="not expected to return new values"):
        net.load_state_dict({"0.weight": T.ones(1, 1), "0.shift": T.ones(1)})


@LIBRARIES
def test_a_hook_may_forgive_what_is_missing(T):
    net = T.nn.Linear(1, 1)
    net.register_load_state_dict_post_hook(lambda module, keys: [names.clear() for names in keys] and None)
    assert net.load_state_dict({"extra": T.ones(1)}).missing_keys == []


@LIBRARIES
def test_states_know_versions_and_are_ordered(T):
    from collections import OrderedDict

    state = T.nn.Sequential(T.nn.BatchNorm1d(1)).state_dict()
    assert type(state) is OrderedDict and dict(state._metadata) == {"": {"version": 1}, "0": {"version": 2}}
    pickled = pickle.loads(pickle.dumps(state))
    assert list(pickled) == list(state) and pickled._metadata == state._metadata
    more = OrderedDict(before=1)
    T.nn.Linear(1, 1).state_dict(destination=more, prefix="net.")
    assert list(more) == ["before", "net.weight", "net.bias"]


@LIBRARIES
def test_batch_norm_of_an_old_state_counts_on(T):
    norm = T.nn.BatchNorm1d(1)
    state = {name: value for name, value in norm.state_dict().items() if name != "num_batches_tracked"}
    assert repr(norm.load_state_dict(state)) == "<All keys matched successfully>"
    new = norm.state_dict()
    del new["num_batches_tracked"]
    with pytest.raises(RuntimeError, match="num_batches_tracked"):
        norm.load_state_dict(new)


@LIBRARIES
def test_a_scalar_that_was_saved_with_an_axis(T):
    module = T.nn.Module()
    module.scale = T.nn.Parameter(T.tensor(1.0))
    module.load_state_dict({"scale": T.tensor([3.0])})
    assert module.scale.item() == 3.0 and module.scale.shape == ()


class Failing:
    """Ways in which a load fails after a part of it is done."""

    @staticmethod
    def missing(net, state):
        del state["1.bias"]

    @staticmethod
    def unexpected(net, state):
        state["2.more"] = ac.ones(1)

    @staticmethod
    def misfit(net, state):
        state["1.weight"] = ac.ones(5)

    @staticmethod
    def hook(net, state):
        def fail(*_):
            raise ValueError("no")

        net[1].register_load_state_dict_pre_hook(fail)


@pytest.mark.parametrize("assign", [False, True])
@pytest.mark.parametrize("way", ["missing", "unexpected", "misfit", "hook"])
def test_a_load_that_fails_changes_nothing(way, assign):
    net = ac.nn.Sequential(ac.nn.BatchNorm1d(2), ac.nn.Linear(2, 1))
    before = dict(net.named_parameters()) | dict(net.named_buffers())
    values = plain(net.state_dict())
    state = {name: value + 1 for name, value in net.state_dict().items()}
    getattr(Failing, way)(net, state)
    with pytest.raises((RuntimeError, ValueError)):
        net.load_state_dict(state, assign=assign)
    assert plain(net.state_dict()) == values
    after = dict(net.named_parameters()) | dict(net.named_buffers())
    assert all(after[name] is tensor for name, tensor in before.items())


def test_a_load_that_fails_leaves_graphs_as_they_are():
    net = ac.nn.Sequential(ac.nn.Linear(1, 1), ac.nn.Linear(1, 1))
    out = net(ac.ones(1, 1)).sum()
    with pytest.raises(RuntimeError):
        net.load_state_dict({"0.weight": ac.ones(2)}, strict=False)
    out.backward()
    assert net[1].weight.grad is not None
