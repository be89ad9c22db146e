"""What each process of a test does, on the stand-in: `rank.py kit`, or `rank.py train`, and so on."""

import os
import signal
import sys
from pathlib import Path

import mpi4py

mpi4py.rc.initialize = mpi4py.rc.finalize = False
from mpi4py import MPI

MPI.Init_thread(MPI.THREAD_MULTIPLE)  # for the stand-in, whose processes meet in a thread

sys.path.insert(0, str(Path(__file__).parent))
from standin_of_nccl import AsynchronousHostPort, HostNCCL, Refused

from lamina_backend_cuda import CudaBackend
from lamina_flatarray import backends, process_groups
from lamina_process_nccl import NCCLTransport

PORT = AsynchronousHostPort()
NCCL = HostNCCL(PORT)
backends.register(CudaBackend(PORT))
process_groups.register(NCCLTransport(NCCL))


def kit():
    from lamina_testkit.process_groups.__main__ import main

    status = main(["--transport", "nccl"])
    assert {"all_gather", "broadcast", "all_reduce", "reduce", "reduce_scatter", "messages"} <= set(NCCL.calls), NCCL.calls
    sys.exit(status)


def operations():
    """torch.distributed on CUDA arrays, beside what NumPy computes."""
    import lamina as torch

    d = torch.distributed
    d.init_process_group("nccl")
    rank, size = d.get_rank(), d.get_world_size()
    assert d.is_nccl_available() and d.get_backend() == "nccl"

    def on_device(values, dtype="float32"):
        return torch.tensor(values, dtype=getattr(torch, dtype)).cuda()

    for dtype in ("float32", "float16", "bfloat16", "int64", "int16", "bool", "complex64"):  # int16, bool and complex64: NCCL has none
        x = on_device([rank, 1, 2], dtype)
        d.all_reduce(x)
        wanted = torch.tensor([sum(range(size)), size, 2 * size]).to(x.dtype)
        assert x.cpu().tolist() == wanted.tolist(), (dtype, x)
    x = on_device([[1.0, 2.0], [3.0, 4.0]]).t()  # with gaps, row by row
    d.all_reduce(x, d.ReduceOp.AVG)
    assert x.cpu().tolist() == [[1.0, 3.0], [2.0, 4.0]], x
    x = on_device([float(rank), float("nan") if rank == 0 else 1.0])
    d.all_reduce(x, d.ReduceOp.MAX)
    assert x[0].item() == size - 1 and x[1].isnan().item(), x
    x = on_device([rank + 1.0] * 2)
    d.reduce(x, 1, d.ReduceOp.AVG)
    assert x.cpu().tolist() == ([(size + 1) / 2] * 2 if rank == 1 else [rank + 1.0] * 2), x
    every = [torch.zeros(2).cuda() for _ in range(size)]
    works = [d.gather(on_device([rank, i]), every if rank == i else None, i, async_op=True) for i in range(2)]
    for work in works:
        work.wait()
    assert rank > 1 or [x.cpu().tolist() for x in every] == [[r, rank] for r in range(size)], every
    mine = torch.zeros(2).cuda()
    d.scatter(mine, [on_device([r, 5]) for r in range(size)] if rank == 1 else None, 1)
    assert mine.cpu().tolist() == [rank, 5], mine
    d.all_to_all(every, [on_device([rank, r]) for r in range(size)])
    assert [x.cpu().tolist() for x in every] == [[r, rank] for r in range(size)], every
    d.broadcast(mine, 1)
    assert mine.cpu().tolist() == [1, 5], mine
    share = torch.zeros(1).cuda()
    d.reduce_scatter_tensor(share, on_device([float(r + rank) for r in range(size)]))
    assert share.item() == size * rank + sum(range(size)), share
    d.send(on_device([rank]), (rank + 1) % size) if rank % 2 == 0 else d.recv(mine[:1], rank - 1)
    assert rank % 2 == 0 or mine[0].item() == rank - 1, mine
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        y = [on_device([1.0]) * 2 for _ in range(3)]
        works = [d.all_reduce(x, async_op=True) for x in y]
        for work in works:
            work.wait()
        assert [x.item() for x in y] == [2.0 * size] * 3, y
    found = [None] * size
    d.all_gather_object(found, {"rank": rank})
    assert found == [{"rank": r} for r in range(size)], found
    x = torch.ones(3)
    d.all_reduce(x)  # in the host's memory
    assert x.tolist() == [size] * 3
    half = d.new_group([0, 1])
    if rank < 2:
        x = on_device([1.0 + rank])
        d.all_reduce(x, group=half)
        assert x.item() == 3.0
    try:
        d.all_reduce(torch.ones(1).to("cuda:1"))
    except RuntimeError as error:
        assert "an array on cuda:1 in a group whose arrays were on cuda:0" in str(error), error
    print("operations: well", flush=True)


def train():
    """DistributedDataParallel on CUDA arrays, beside one process with all batches."""
    import lamina as torch

    d, nn = torch.distributed, torch.nn
    d.init_process_group("nccl")
    rank, size = d.get_rank(), d.get_world_size()
    x = torch.randn(4, 8, 6, dtype=torch.float64, generator=torch.Generator().manual_seed(1)).cuda()

    def model():
        torch.manual_seed(0)
        return nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1)).double().cuda()

    def losses(net, batches):
        optimizer, found = torch.optim.SGD(net.parameters(), lr=0.1), []
        for batch in batches:
            loss = net(batch).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            found.append(loss.detach())
        return torch.stack(found)

    net = nn.parallel.DistributedDataParallel(model())
    together, alone = losses(net, x[:, rank::size]), losses(model(), x)
    d.all_reduce(together, d.ReduceOp.AVG)
    # sums of some 100 products of order 1 in float64, in another order, through four steps
    torch.testing.assert_close(together, alone, rtol=1e-12, atol=1e-13)
    for p in net.parameters():
        first = p.detach().clone()
        d.broadcast(first, 0)
        assert torch.equal(first, p), "processes have different weights"
    print("train: well", flush=True)


def divided():
    """Shards, layers in parts, slices of texts and stages on CUDA arrays, beside the same on the host's."""
    import lamina as torch
    from lamina.distributed.pipelining import PipelineStage, Schedule1F1B
    from lamina.distributed.tensor import Shard
    from lamina.distributed.tensor.experimental import context_parallel
    from lamina.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

    d, nn = torch.distributed, torch.nn
    d.init_process_group("nccl")
    rank, size = d.get_rank(), d.get_world_size()

    def made(device):
        torch.manual_seed(0)
        model = nn.Sequential(nn.Linear(6, 17), nn.Tanh(), nn.Linear(17, 8)).double().to(device)  # 17 rows do not go up
        return model, torch.randn(3, 4, 6, 6, dtype=torch.float64).to(device)

    def trained(model, losses):
        optimizer, found = torch.optim.AdamW(model.parameters(), lr=0.01), []
        for step in range(3):
            optimizer.zero_grad()
            found.append(losses(step).detach().cpu())
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()
        return [*found, *(getattr(p, "full_tensor", p.detach)().cpu() for p in model.parameters())]

    def backward(loss):
        loss.backward()
        return loss

    def sharded(device, reshards):
        model, x = made(device)
        for part in (model[0], model[2], model):
            torch.distributed.fsdp.fully_shard(part, mesh=d.init_device_mesh(device, (size,)), reshard_after_forward=reshards)
        return trained(model, lambda step: backward(model(x[step, rank::size]).square().mean()))

    def in_parts(device, slices):
        model, x = made(device)
        between = Shard(1) if slices else None
        plan = {"0": ColwiseParallel(input_layouts=between), "2": RowwiseParallel(output_layouts=between)}
        parallelize_module(model, d.init_device_mesh(device, (size,)), plan)
        return trained(model, lambda step: backward(model(x[step].chunk(size, 1)[rank] if slices else x[step]).square().sum()))

    def in_slices(device):
        model, x = made(device)
        mesh = d.init_device_mesh(device, (size,))

        def losses(step):
            text = x[step].clone()
            with context_parallel(mesh, buffers=[text], buffer_seq_dims=[1]):
                y = model(text).unsqueeze(1)
                loss = backward(nn.functional.scaled_dot_product_attention(y, y, y, is_causal=True).square().sum())
            for p in model.parameters():
                d.all_reduce(p.grad)
            return loss

        return trained(model, losses)

    def in_stages(device):
        model, x = made(device)
        part = (model[:2], model[2:])[rank] if size == 2 else nn.Identity()
        schedule = Schedule1F1B(PipelineStage(part, rank, size, torch.device(device)), 4, loss_fn=nn.functional.mse_loss)
        found = []

        def losses(step):
            schedule.step(x[step]) if rank == 0 else schedule.step(target=x[step, :, :, :1].expand(4, 6, 8), losses=found)
            return torch.stack(found).mean() if found else torch.zeros(())

        return trained(part, losses)

    for kind, *options in ((sharded, True), (sharded, False), (in_parts, False), (in_parts, True), (in_slices,), (in_stages,)):
        for here, there in zip(kind("cpu", *options), kind("cuda", *options), strict=True):
            # sums of some 100 products of order 1 in float64, in another order, through three steps
            torch.testing.assert_close(there, here, rtol=1e-11, atol=1e-12, msg=lambda told, kind=kind: f"{kind.__name__}: {told}")
    print("divided: well", flush=True)


def refused():
    """What NCCL would do wrong, or wait for without an end, is an error on the stand-in, on all processes that take part."""
    rank, size = MPI.COMM_WORLD.rank, MPI.COMM_WORLD.size
    name = MPI.COMM_WORLD.bcast(NCCL.unique_id() if rank == 0 else None)
    world = NCCL.join(size, name, rank, 0)
    stream, other, far = PORT.stream(0), PORT.stream(0), PORT.stream(1)
    memory = PORT.allocate(256, stream)
    here, elsewhere = memory.address, PORT.allocate(4, far)

    def reject(pattern, call):
        try:
            call()
            PORT.synchronize(stream)
        except Refused as error:
            assert pattern in str(error), error
            for work in PORT.under_way:
                work.finished = True
            world.works.clear()
            return
        raise AssertionError(f"{pattern!r}: nothing was refused")

    on_host = bytearray(256)
    addressed = memoryview(on_host).nbytes + id(on_host)
    reject("there is no memory", lambda: NCCL.all_reduce(world, addressed & ~63, 4, 7, 0, stream.number))
    reject("uses bytes 0 to 512 of a block of 256", lambda: NCCL.all_reduce(world, here, 128, 7, 0, stream.number))
    reject("dtype 12, op 0", lambda: NCCL.all_reduce(world, here, 4, 12, 0, stream.number))
    reject("no multiple of 4", lambda: NCCL.all_reduce(world, here + 2, 4, 7, 0, stream.number))
    PORT.copy_in(here, memoryview(bytes(8)), stream)
    reject("which has not waited for it", lambda: NCCL.broadcast(world, here, 4, 0, other.number))
    reject("is none of device 0", lambda: NCCL.broadcast(world, here, 4, 0, far.number))
    reject("memory of device 1", lambda: NCCL.broadcast(world, elsewhere.address, 4, 0, stream.number))
    reject("outside of a group", lambda: NCCL.send(world, here, 4, 1 - rank, stream.number))
    reject("no group has begun", NCCL.end_group)
    different = "processes queue different operations: rank 0: all_reduce 4"
    reject(different, lambda: NCCL.all_reduce(world, here, 4 + rank, 7, 0, stream.number))
    NCCL.begin_group()
    reject("within a group", lambda: NCCL.broadcast(world, here, 4, 0, stream.number))
    NCCL.send(world, here, 4, 1 - rank, stream.number)
    reject("sends 4 bytes to rank 1, which receives 0", NCCL.end_group)
    NCCL.abort(world)
    reject("was aborted", lambda: NCCL.broadcast(world, here, 4, 0, stream.number))
    print("refused: well", flush=True)


def lost():
    """A process is killed: the other one is told which, and what NCCL has under way is aborted."""
    import lamina as torch

    d = torch.distributed
    d.init_process_group("nccl")
    x = torch.ones(3).cuda()
    d.all_reduce(x)
    if d.get_rank() == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    try:
        d.all_reduce(x)
    except RuntimeError as error:
        assert "rank 1 (process" in str(error) and "is gone" in str(error), error
        assert PORT.under_way and all(work.communicator.aborted for work in PORT.under_way), PORT.under_way
        print("lost: well", flush=True)
    os._exit(0)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
