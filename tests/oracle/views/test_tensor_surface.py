"""What a tensor is beyond its ops, as PyTorch has it: conversions, copies, pickles, storage, derived classes, old types."""

import copy
import io
import pickle
import re
import subprocess
import sys

import pytest
import torch

import lamina

KINDS = (TypeError, ValueError, IndexError, NotImplementedError, RuntimeError)


def outcome(t, program):
    """What an expression gives, as text that does not tell which of the two it is of; or the error."""
    scope = {"torch": t, "copy": copy, "pickle": pickle, "x": t.arange(24.0).reshape(2, 3, 4), "n": t.tensor([[1, 2], [3, 4]])}
    try:
        found = eval(program, scope)
    except KINDS as error:
        return error
    return re.sub(r"\b(lamina|torch)\.", "", repr(found))


def agree(program):
    """Whether both give the same text, or errors of one kind."""
    ours, theirs = outcome(lamina, program), outcome(torch, program)
    if isinstance(theirs, Exception) and isinstance(ours, Exception):
        return isinstance(ours, next(kind for kind in KINDS if isinstance(theirs, kind)))
    assert ours == theirs
    return True


CONVERSIONS = [
    "x.to(torch.float64, True, True).dtype", "x.to('cpu', torch.float64, False, True).dtype",
    "x.to(device='cpu') is x", "x.to(None) is x", "x.to(dtype=None) is x", "x.to(x.double()).dtype", "x.to(other=x)",
    "x.to('cpu', True)", "x.to(torch.float64, 'cpu')", "x.to() is x", "x.to(x.double(), dtype=torch.int32)",
    "x.to(torch.float32, copy=True) is x", "x.to(torch.float32) is x", "x.to(torch.device('cpu')) is x",
    "x.to(device=torch.device('cpu'), dtype=torch.int32).dtype", "x.to(torch.int8, non_blocking=True).dtype",
    "x.to(torch.int8, copy=1)", "x.to(torch.float32, dtype=torch.int8)", "x.to('nowhere!')",
    "x[None].to(memory_format=torch.channels_last).stride()",
    "x[None].to(torch.float64, memory_format=torch.channels_last).stride()",
    "x.to(memory_format=torch.channels_last)", "x.to(memory_format='channels_last')",
    "x[None].contiguous(memory_format=torch.channels_last).stride()", "x.transpose(0, 2).contiguous().stride()",
    "x.contiguous() is x", "x[None].clone(memory_format=torch.channels_last).stride()",
    "x.transpose(0, 2).clone().stride()", "x[None].double(memory_format=torch.channels_last).stride()",
    "x.transpose(0, 2).clone(memory_format=torch.contiguous_format).stride()", "x.float() is x", "x.long().dtype",
    "x.cfloat().dtype", "x.type()", "n.type()", "x.bool().type()", "x.type('torch.DoubleTensor').dtype",
    "x.type(torch.IntTensor).dtype", "x.type(torch.float64).dtype", "x.type(torch.float32) is x", "x.type('nothing')",
    "x.type(3)", "x.type_as(n).dtype", "x.view(torch.int32)[0, 0]", "x.view(torch.int16).shape",
    "x.view(torch.float64).shape", "x.view(dtype=torch.int8).shape", "x[:, :, 2:].view(torch.float64).shape",
    "x[:, :, 1:3].view(torch.float64)", "x.transpose(0, 2).view(torch.int8)", "x.view(torch.float64, 3)",
    "x.sum().view(torch.int8)", "x.view(torch.int8).view(torch.float32)[1, 2]", "x.view(4, 6).shape",
    "x.view(torch.Size([4, 6])).shape", "x.item()", "n.sum().item()", "x.tolist()", "n.sum().tolist()",
    "x.numpy().shape", "x.requires_grad_().numpy()", "x.requires_grad_().numpy(force=True).shape", "2.0 in x",
    "77 in x", "'a' in x", "[1] in x", "torch.tensor(3.0) in x", "reversed(n)", "[r.tolist() for r in n]",
    "list(n.sum())", "len(n)", "len(n.sum())", "n[0][1].__index__()", "[10, 20, 30][n[0, 0]]", "x.__index__()",
    "bool(x)", "bool(n[0, 0])", "int(x[0, 1, 1])", "float(n[1, 1])", "complex(n[0, 0])",
    "f'{x[0, 0, 1]:.2f} {n[0, 0]:d}'", "f'{n}'", "'{:.1f}'.format(x)", "x.new(2, 3).shape", "x.new([1, 2])",
    "n.new([1, 2])", "x.new().shape", "n.new_zeros(2, 2).dtype", "n.new_full((2,), 3)", "x.new_tensor([1, 2]).dtype",
    "n.resize_(3)", "n.resize_(2, 1)", "n.t().resize_(2, 2)", "x.resize_(3, 3, 3).shape", "x.resize_as_(n).shape",
    "x.requires_grad_().resize_(2)", "n.is_same_size(x)", "n.is_set_to(n)", "n.is_set_to(n.clone())",
    "n.set_(torch.tensor([5, 6]))", "n.set_(torch.arange(9), 1, (2, 2), (3, 1))", "n.set_().shape", "x.set_(n)",
    "x.element_size(), x.nbytes, x.itemsize, x.ndim", "x.dim_order()", "x.nelement(), x.numel()", "x.is_shared()",
    "n.share_memory_().is_shared()", "n.share_memory_()", "x.is_pinned()", "x.is_inference()", "x.layout",
    "x.is_conj(), x.is_neg(), x.dense_dim(), x.sparse_dim()", "x.values()", "x.indices()", "x.coalesce()",
    "x.to_dense() is x", "x.name", "x.output_nr", "n.grad_dtype", "n.fill_(torch.ones(2))",
    "n.fill_(torch.tensor(7))", "n.fill_(value=2)", "n.copy_(other=n + 1)", "n.copy_([1, 2])", "n.zero_()",
    "n.pow(exponent=2)", "torch.pow(n, exponent=2)", "torch.pow(2, n)", "n.pow_(exponent=2)", "x.div_(other=2)[0, 0]",
    "x.div_(4, rounding_mode='floor')[0, 0]", "x.div_(3, rounding_mode='trunc')[0, 0]",
    "x.div_(3, rounding_mode='up')", "n.div_(2)", "x.div(7).round_(decimals=1)[0, 0]", "n.add_(n, alpha=3)",
    "n.sub_(n, alpha=3)", "n.multiply_(2)", "n.clamp_(max=2)", "n.clip_(min=2)", "x.absolute_()[0, 0]",
    "x.__delitem__(0)", "setattr(x, 'grad', 3)", "setattr(x, 'grad', n)", "setattr(x, 'grad', torch.ones(2))",
    "n.requires_grad_()", "(x.requires_grad_() * 1).requires_grad_(False)", "x.data is x", "hasattr(x, 'nothing')",
    "'shape' in dir(x)", "'mine' in [setattr(x, 'mine', 1), *dir(x)]", "hash(x) == hash(x)", "{x: 1}[x]",
    "x.bernoulli(1.0).sum()", "x.stride(), x.stride(0), x.stride(-1)", "x.size(), x.size(-1)", "x.size(7)",
    "n[n > 9].any()", "n.is_nonzero()", "x.softmax(-1).shape", "n.T", "x.mT.shape", "x.H",
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", CONVERSIONS)
def test_expressions(program):
    assert agree(program)


OLD_TYPES = [
    "torch.Tensor([1, 2])", "torch.Tensor(2, 3).shape", "torch.Tensor()", "torch.Tensor(2.5)", "torch.Tensor(True)",
    "torch.Tensor('ab')", "torch.Tensor(range(3))", "torch.Tensor(torch.arange(3))",
    "torch.Tensor(torch.Size([2, 2])).shape", "torch.Tensor((2, 3))", "torch.LongTensor([1, 2])",
    "torch.LongTensor([1.5])", "torch.LongTensor(torch.ones(2))", "torch.FloatTensor(2, 2).shape",
    "isinstance(x, torch.FloatTensor)", "isinstance(x, torch.LongTensor)", "isinstance(n, torch.LongTensor)",
    "torch.BoolTensor([1, 0])", "torch.ByteTensor([3])", "torch.DoubleTensor([[1]]).dtype",
    "torch.HalfTensor([1]).dtype", "torch.FloatTensor", "torch.LongTensor.dtype", "x.type(torch.LongTensor).type()",
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", OLD_TYPES)
def test_old_types(program):
    assert agree(program)


COPIES = [
    "copy.copy(x).data_ptr() == x.data_ptr()", "copy.deepcopy(x).data_ptr() == x.data_ptr()",
    "torch.equal(copy.deepcopy(x), x)", "copy.deepcopy(x.requires_grad_()).requires_grad",
    "copy.deepcopy(x.requires_grad_() * 1)", "copy.deepcopy([x, x])[0] is copy.deepcopy([x, x])[1]",
    "(lambda p: p[0] is p[1])(copy.deepcopy([x, x]))", "(lambda p: p[0] is p[1])(pickle.loads(pickle.dumps([x, x])))",
    "torch.equal(pickle.loads(pickle.dumps(x)), x)", "pickle.loads(pickle.dumps(x.requires_grad_())).requires_grad",
    "torch.equal(pickle.loads(pickle.dumps(x.t() if x.ndim < 3 else x.transpose(0, 2))), x.transpose(0, 2))",
    "pickle.loads(pickle.dumps(x.bfloat16())).dtype", "pickle.loads(pickle.dumps(n[:0])).shape",
    "pickle.loads(pickle.dumps(n.sum()))", "type(pickle.loads(pickle.dumps(torch.nn.Parameter(x)))).__name__",
    "type(copy.deepcopy(torch.nn.Parameter(x))).__name__",
    "pickle.loads(pickle.dumps(torch.nn.Parameter(x, requires_grad=False))).requires_grad",
    "pickle.loads(pickle.dumps(x.max(0))).indices.shape", "[setattr(x, 'mine', 5), copy.deepcopy(x).mine]",
    "[setattr(x, 'mine', 5), pickle.loads(pickle.dumps(torch.nn.Parameter(x)))][1].shape",
    "(lambda m: torch.equal(copy.deepcopy(m).weight, m.weight))(torch.nn.Linear(2, 3))",
    "[setattr(x, 'grad', x * 2), torch.equal(copy.deepcopy(x).grad, x * 2)]",
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", COPIES)
def test_copies_and_pickles(program):
    assert agree(program)


def test_a_pickle_names_nothing_but_what_makes_tensors():
    seen = set()

    class Watching(pickle.Unpickler):
        def find_class(self, module, name):
            seen.add((module, name))
            return super().find_class(module, name)

    made = Watching(io.BytesIO(pickle.dumps(lamina.ones(3)))).load()
    assert made.tolist() == [1, 1, 1]
    assert seen == {("lamina_tensor.methods.protocols.pickling", "rebuilt"), ("lamina_flatarray.flat", "_restored")}
    rebuilt, (_, *arguments), _ = lamina.Tensor.__reduce_ex__(made, 2)
    with pytest.raises(TypeError, match="no class of tensors"):
        rebuilt(print, *arguments)


STORAGE = [
    "len(s), s.nbytes(), s.size(), s.device, s[5], s.is_shared(), s.element_size() if hasattr(s, 'element_size') else 1",
    "s.data_ptr() == x.data_ptr()", "x[1].untyped_storage().data_ptr() == s.data_ptr()",
    "x[1].untyped_storage().nbytes()", "x.untyped_storage() == s",
    "x.storage().size(), x.storage().nbytes(), x.storage()[3], x.storage().element_size()",
    "x.storage().tolist()[:3]", "s.tolist()[:8]", "torch.tensor([0.0]).set_(x.untyped_storage()).shape",
    "torch.tensor([0.0]).set_(s, 4, (2, 2), (2, 1))", "x.storage_offset(), x[1].storage_offset()",
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", STORAGE)
def test_storage(program):
    program = f"(lambda s: ({program}))(x.untyped_storage())"
    assert agree(program)


def test_shared_memory_is_that_of_a_forked_process():
    import os

    for backend in ("numpy", "cpp"):
        with lamina.backends.use_backend(backend):
            x = lamina.zeros(4)
            row = x[1:3]
            x.share_memory_()
            child = os.fork()
            if not child:
                row += 5
                os._exit(0)
            os.waitpid(child, 0)
            assert (x + 1).tolist() == [1, 6, 6, 1]
            assert row.sum().item() == 10


SHARED = """
import multiprocessing, sys
import lamina

def write(whole, column, told):
    column += 5
    told.put((whole.tolist(), whole.requires_grad, type(whole).__name__, whole.is_shared()))

if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    with lamina.backends.use_backend(sys.argv[1]):
        whole = lamina.nn.Parameter(lamina.arange(6.0).reshape(2, 3))
        whole.share_memory_()
        told = context.Queue()
        process = context.Process(target=write, args=(whole, whole.detach()[:, 1], told))
        process.start()
        print(told.get(timeout=100))
        process.join()
        print((whole + 0).tolist())
"""


@pytest.mark.parametrize("backend", ["numpy", "cpp"])
def test_shared_memory_is_that_of_a_process_it_is_sent_to(tmp_path, backend):
    (tmp_path / "shares.py").write_text(SHARED)
    done = subprocess.run([sys.executable, "shares.py", backend], cwd=tmp_path, capture_output=True, text=True)
    changed = [[0.0, 6.0, 2.0], [3.0, 9.0, 5.0]]
    assert done.stdout == f"({changed}, True, 'Parameter', True)\n{changed}\n", done.stderr


KIND_NAMES = [n for n in dir(torch.Tensor) if n.startswith("is_") and isinstance(getattr(torch.zeros(1), n), bool)]


@pytest.mark.parametrize("name", KIND_NAMES)
def test_what_kind_a_tensor_is(name):
    for make in (lambda t: t.zeros(2), lambda t: t.zeros(2, requires_grad=True) * 2):
        assert getattr(make(lamina), name) == getattr(make(torch), name)
