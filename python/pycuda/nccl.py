"""Collective operations between devices, and between processes, by NCCL.

Each of several *ranks* has a device and a :class:`Communicator`, by which it takes part: in sums over all ranks, in what one rank
sends to all or to another. On GPUs NVIDIA's NCCL does that, version 2.13 or later (PyTorch brings it; ``pip install nvidia-nccl-cu13``
does). The host device has the same functions built in, for its devices in one process (``HOSTCUDA_DEVICES=4``) and for the processes of
one machine.

All devices in one process::

    ranks = nccl.init_all()
    for rank in ranks:
        with rank.context:
            arrays.append(gpuarray.full(1000, rank.rank, np.float32))
    with nccl.group():
        for rank, array in zip(ranks, arrays):
            rank.all_reduce(array)

One process a device, with MPI::

    import pycuda.autoprimaryctx
    unique_id = world.bcast(nccl.get_unique_id() if world.rank == 0 else None)
    rank = nccl.Communicator(world.size, unique_id, world.rank)
    rank.all_reduce(array)

Calls are enqueued in a stream and return before they are done, like kernels. One thread that calls for several ranks does so in a
:func:`group`: a call may else wait for one that the thread has not made yet. All ranks make the same calls in the same order; where they do
not, NCCL waits for ever or computes anything, and the host device says at the next synchronization what each of them asked for.

NCCL works in the primary context of a device: that of :mod:`pycuda.autoprimaryctx`, ``Device.retain_primary_context()`` and
:func:`init_all`. Arrays without gaps are taken, of any dtype where elements are only moved; reductions are of int8, uint8, int32, uint32,
int64, uint64, float16, bfloat16, float32 and float64, sums and averages of complex64 and complex128, too. Failures are exceptions of
:mod:`pycuda.driver` with NCCL's name and text.
"""

from _thread import _local  # threading.local: importing the rest takes a millisecond
from operator import index

from pycuda import _native, driver

_OPERATIONS = {"sum": 0, "prod": 1, "max": 2, "min": 3, "avg": 4}
_ALL_REDUCE, _BROADCAST, _REDUCE, _ALL_GATHER, _REDUCE_SCATTER, _SEND, _RECV = range(7)


class _Group(_local):
    depth = 0
    calls = None


_group = _Group()


def get_version():
    """The version of NCCL as a number: 22703 is 2.27.3. Of the host device, that of which it has the functions. Raises an Error of
    ``pycuda.driver`` that says where NCCL was looked for if there is none. NCCL: ncclGetVersion."""
    return _native._nccl_version()


def get_unique_id():
    """128 bytes that one rank makes and gives to all others, each of which passes it to :class:`Communicator`. The process that makes it must
    live until all have joined. NCCL: ncclGetUniqueId."""
    return _native._nccl_id()


def group_start():
    """The calls of this thread up to :func:`group_end` are one: they wait for each other on the devices, and not for those that come after.
    Groups may be in groups. NCCL: ncclGroupStart."""
    if _group.depth == 0:
        _group.calls = []
    _group.depth += 1


def group_end():
    """Makes the calls since :func:`group_start`. RuntimeError if there was none. NCCL: ncclGroupEnd."""
    if _group.depth == 0:
        raise RuntimeError("group_end() without group_start()")
    _group.depth -= 1
    if _group.depth == 0:
        calls, _group.calls = _group.calls, None
        _native._nccl_run(calls)


class group:
    """``with group():`` is :func:`group_start` and :func:`group_end`. An exception inside means that none of the calls of the group, and of
    those around it, is made."""

    def __enter__(self):
        group_start()

    def __exit__(self, kind, value, trace):
        if kind is None:
            group_end()
        else:
            _group.depth -= 1
            _group.calls.clear()


def init_all(devices=None):
    """A list of communicators, one for each of the devices, ordinals or ``driver.Device``, that this process uses; all by default. Each is in
    its device's primary context, its attribute ``context``, which is retained as long as the communicator. ValueError for a device that is
    named twice. NCCL: ncclCommInitAll.

    >>> ranks = nccl.init_all()
    >>> [rank.rank for rank in ranks]
    [0, 1, 2, 3]
    """
    if devices is None:
        devices = range(driver.Device.count())
    devices = [one if isinstance(one, driver.Device) else driver.Device(one) for one in devices]
    if not devices or len(set(devices)) < len(devices):
        raise ValueError(f"init_all: one rank for each of {len(devices)} devices, each named once; got {devices}")
    contexts = [one.retain_primary_context() for one in devices]
    handles = _native._nccl_join(contexts, 0, len(contexts), get_unique_id())
    return [Communicator._of(handle, rank, len(devices), context, device)
            for rank, (handle, context, device) in enumerate(zip(handles, contexts, devices, strict=True))]


class Communicator:
    """Communicator(size, unique_id, rank)

    This rank's part among *size* ranks, numbered from 0, which all call this with one *unique_id* and return when the last one has come. The
    device is that of the current context, which must be its primary one. Attributes: ``rank``, ``size``, ``context``, ``device``. It is
    closed when the last reference goes, or as a context manager. NCCL: ncclCommInitRank.

    *stream* in all methods: a Stream of the rank's context, by default its default stream. Methods that give an array return the one that is
    written.
    """

    def __init__(self, size, unique_id, rank):
        context = driver.Context.get_current()
        if context is None:
            raise ValueError("Communicator: no context is current; `import pycuda.autoprimaryctx` makes one")
        handle, = _native._nccl_join([context], rank, size, unique_id)
        self._set(handle, rank, size, context, context.get_device())

    @classmethod
    def _of(cls, *parts):
        self = cls.__new__(cls)
        self._set(*parts)
        return self

    def _set(self, *parts):
        self._handle, self.rank, self.size, self.context, self.device = parts

    def _call(self, kind, from_, to, op, root, stream):
        if not isinstance(op, str) or op not in _OPERATIONS:
            raise ValueError(f"op={op!r}; there are {', '.join(_OPERATIONS)}")
        call = self._handle, kind, from_, to, _OPERATIONS[op], index(root), stream
        if _group.depth:
            _native._nccl_run([call], True)
            _group.calls.append(call)
        else:
            _native._nccl_run([call])
        return to

    def all_reduce(self, in_array, out_array=None, op="sum", stream=None):
        """out_array = the sum, or ``op="prod"``, ``"max"``, ``"min"`` or ``"avg"``, of the in_arrays of all ranks, element by element; of one
        size and dtype in all. out_array is in_array by default. NCCL: ncclAllReduce.

        >>> rank.all_reduce(gradient, op="avg")
        """
        return self._call(_ALL_REDUCE, in_array, in_array if out_array is None else out_array, op, 0, stream)

    def reduce(self, in_array, out_array=None, root=0, op="sum", stream=None):
        """The same, for rank *root* alone; others may leave out_array out. NCCL: ncclReduce."""
        if out_array is None and root == self.rank:
            out_array = in_array
        return self._call(_REDUCE, in_array, out_array, op, root, stream)

    def broadcast(self, in_out_array, root=0, stream=None):
        """in_out_array = that of rank *root*, of one size and dtype in all. NCCL: ncclBroadcast."""
        return self._call(_BROADCAST, in_out_array, in_out_array, "sum", root, stream)

    def all_gather(self, in_array, out_array, stream=None):
        """out_array = the in_arrays of all ranks, of one size, one behind the other. in_array may be its part of out_array, C order both. NCCL:
        ncclAllGather.

        >>> rank.all_gather(x, gpuarray.empty((rank.size, *x.shape), x.dtype))
        """
        return self._call(_ALL_GATHER, in_array, out_array, "sum", 0, stream)

    def reduce_scatter(self, in_array, out_array, op="sum", stream=None):
        """out_array = this rank's part of what all_reduce would give: in_array has as many elements for each rank, one part behind the other.
        out_array may be that part of in_array. NCCL: ncclReduceScatter."""
        return self._call(_REDUCE_SCATTER, in_array, out_array, op, 0, stream)

    def send(self, array, peer, stream=None):
        """Sends the elements to rank *peer*, which receives as many bytes. Sending and receiving at once needs a group. NCCL: ncclSend."""
        self._call(_SEND, array, None, "sum", peer, stream)

    def recv(self, out_array, peer, stream=None):
        """out_array = what rank *peer* sends. NCCL: ncclRecv."""
        return self._call(_RECV, None, out_array, "sum", peer, stream)

    def close(self):
        """This rank takes part no longer, once what was asked for is done. Further calls raise ValueError. NCCL: ncclCommDestroy."""
        _native._nccl_end(self._handle, False)

    def abort(self):
        """The same at once: what is under way ends, with anything in its arrays. Other ranks that need this one have to abort, too; on the host
        device they fail. NCCL: ncclCommAbort."""
        _native._nccl_end(self._handle, True)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        _native._nccl_end(self._handle, kind is not None)

    def __repr__(self):
        return f"<pycuda.nccl.Communicator, rank {self.rank} of {self.size}, device {self.device!r}>"
