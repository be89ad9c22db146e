"""Every collective with one library, as one of several processes, written as JSON: `collectives.py lamina|torch FOLDER`."""

import json
import sys
from pathlib import Path

library, folder = sys.argv[1], Path(sys.argv[2])
if library == "lamina":
    import lamina as torch
else:
    import torch
d = torch.distributed
d.init_process_group("gloo")
rank, size = d.get_rank(), d.get_world_size()
found = {}

DTYPES = ("float32", "float64", "int64", "int32", "uint8", "int8", "float16", "bfloat16")
SHAPES = ((), (0,), (5,), (3, 4), (7001,))


def made(dtype, shape, of=None):
    """Small integers, which every dtype holds and every order of additions gives the same sum of."""
    of = rank if of is None else of
    count = 1
    for n in shape:
        count *= n
    return ((torch.arange(count) * 3 + of * 2) % 5 + 1).to(getattr(torch, dtype)).reshape(shape)


def kept(name, *tensors):
    found[name] = [[str(t.dtype).partition(".")[2], list(t.shape), t.to(torch.float64).flatten().tolist()] for t in tensors]


def refused(name, call):
    try:
        call()
        found[name] = "accepted"
    except Exception as error:
        kinds = [k.__name__ for k in (ValueError, TypeError, IndexError, RuntimeError) if isinstance(error, k)]
        found[name] = kinds


for dtype in DTYPES:
    for shape in SHAPES:
        key = f"{dtype} {shape}"
        ops = ["SUM", "PRODUCT", "MIN", "MAX"] + (["BAND", "BOR", "BXOR"] if "int" in dtype else [])
        for op in ops:
            d.all_reduce(x := made(dtype, shape), getattr(d.ReduceOp, op))
            kept(f"all_reduce {op} {key}", x)
        d.reduce(x := made(dtype, shape), 1)
        if rank == 1:
            kept(f"reduce {key}", x)
        d.broadcast(x := made(dtype, shape), 1)
        kept(f"broadcast {key}", x)
        d.all_gather(xs := [torch.zeros_like(x) for _ in range(size)], made(dtype, shape))
        kept(f"all_gather {key}", *xs)
        if shape:
            d.all_gather_into_tensor(x := torch.zeros(shape[0] * size, *shape[1:], dtype=x.dtype), made(dtype, shape))
            kept(f"all_gather_into_tensor {key}", x)
            rows = torch.cat([made(dtype, shape, of=rank + i) for i in range(size)])
            d.reduce_scatter_tensor(x := torch.zeros_like(made(dtype, shape)), rows)
            kept(f"reduce_scatter_tensor {key}", x)
            d.all_to_all_single(x := torch.zeros(2 * size, *shape, dtype=x.dtype), made(dtype, (2 * size, *shape)))
            kept(f"all_to_all_single {key}", x)
        d.gather(made(dtype, shape), xs := [torch.zeros_like(made(dtype, shape)) for _ in range(size)] if rank == 0 else None, dst=0)
        kept(f"gather {key}", *(xs or []))
        d.scatter(x := torch.zeros_like(made(dtype, shape)), [made(dtype, shape, of=i) for i in range(size)] if rank == 1 else None, src=1)
        kept(f"scatter {key}", x)
        d.reduce_scatter(x := torch.zeros_like(made(dtype, shape)), [made(dtype, shape, of=rank + i) for i in range(size)])
        kept(f"reduce_scatter {key}", x)

lengths = [rank + i + 1 for i in range(size)]  # symmetric: what goes there is as long as what comes from there
d.all_to_all_single(x := torch.zeros(sum(lengths)), torch.arange(float(sum(lengths))) + 100 * rank, lengths, lengths)
kept("parts of different lengths", x)
work = d.all_reduce(x := torch.ones(3) * rank, async_op=True)
work.wait()
kept("an operation that is waited for", x)
found["completed"] = work.is_completed()
ys = [torch.full((1000,), float(i + rank)) for i in range(8)]
works = [d.all_reduce(y, async_op=True) for y in ys]
for w in works:
    w.wait()
kept("several under way", *ys)
transposed = torch.arange(6.0).reshape(2, 3).t() + rank
d.all_gather(xs := [torch.zeros(3, 2) for _ in range(size)], transposed.contiguous())
kept("rows of columns", *xs)

other = (rank + 1) % size
before = (rank - 1) % size
sending = d.isend(torch.full((4,), float(rank)), other, tag=3)
d.recv(x := torch.zeros(4), before, tag=3)
sending.wait()
kept("a ring", x)
works = d.batch_isend_irecv([d.P2POp(d.isend, torch.full((2,), rank + 10.0), other), d.P2POp(d.irecv, x := torch.zeros(2), before)])
for w in works:
    w.wait()
kept("a batch of messages", x)
if rank == 0:
    d.send(torch.ones(3), 1)
elif rank == 1:
    found["from anybody"] = d.recv(x := torch.zeros(3))
    kept("what came", x)

group = d.new_group([1])
found["ranks"] = [d.get_rank(group), d.get_world_size(group), d.get_process_group_ranks(d.new_group())]
d.all_reduce(x := torch.ones(2), group=group) if rank == 1 else None
objects = [None] * size
data = {"rank": rank, "list": [1, 2.5, "a", None, True, b"x", (1, (2,)), {3}, 2**70, -5, 1j], "t": torch.ones(2).tolist()}
d.all_gather_object(objects, data)
found["objects"] = repr(objects)
d.broadcast_object_list(objects := [rank, "a" * rank, None], src=1)
found["objects of one"] = repr(objects)
d.gather_object([rank], objects := [None] * size if rank == 0 else None)
found["objects in one"] = repr(objects)
d.scatter_object_list(objects := [None], [{"i": i} for i in range(size)] if rank == 0 else None)
found["objects to each"] = repr(objects)
if rank == 0:
    d.send_object_list(["a", {"b": 1}], 1)
elif rank == 1:
    found["sender of objects"] = d.recv_object_list(objects := [None, None], src=0)
    found["objects in a message"] = repr(objects)
for mine, groups in (d.new_subgroups(1), d.new_subgroups_by_enumeration([[1], [0]])):
    d.all_reduce(x := torch.ones(1) * rank, group=mine)
    kept(f"in one of {len(groups)} groups", x)
found["backends"] = [d.is_backend_available("GLOO"), d.is_backend_available("none"), d.get_default_backend_for_device("cuda:0")]
d.barrier()
d.monitored_barrier()
mesh = d.init_device_mesh("cpu", (size, 1), mesh_dim_names=("data", "model"))
found["mesh"] = [list(mesh.shape), mesh.get_local_rank("data"), mesh["data"].size(), list(mesh.get_coordinate()), mesh.ndim]
d.all_reduce(x := torch.ones(1), group=mesh.get_group("data"))
kept("in a dim of a mesh", x)

refused("to itself", lambda: d.send(torch.ones(1), rank))
refused("from nobody", lambda: d.broadcast(torch.ones(1), size))
refused("a list too short", lambda: d.all_gather([torch.zeros(1)], torch.ones(1)))
refused("of other shapes", lambda: d.all_gather([torch.zeros(2) for _ in range(size)], torch.ones(1)))
refused("of other dtypes", lambda: d.all_gather([torch.zeros(1).long() for _ in range(size)], torch.ones(1)))
refused("no tensor", lambda: d.all_reduce([1.0]))
refused("bits of fractions", lambda: d.all_reduce(torch.ones(1), d.ReduceOp.BAND))
refused("output of another size", lambda: d.all_gather_into_tensor(torch.zeros(size + 1), torch.ones(1)))
refused("a group of nobody there", lambda: d.new_group([size + 5]))
refused("groups too large", lambda: d.new_subgroups(size + 1))
refused("no groups", lambda: d.new_subgroups_by_enumeration([]))
refused("in two groups", lambda: d.new_subgroups_by_enumeration([[0], [0]]))
refused("a device of nobody", lambda: d.get_default_backend_for_device("meta"))
refused("a grid too large", lambda: d.init_device_mesh("cpu", (size + 1,)))

(folder / f"{library}-{rank}.json").write_text(json.dumps(found))
d.barrier()
if library == "torch":
    d.destroy_process_group()
