"""Pickles of PyTorch's files that are damaged or hostile, and what is said of each.

A bomb is a small file that would take far more time or memory than it has bytes, if its parts were copied, compared or shown
as often as it names them. Some bombs are valid.
"""

from __future__ import annotations

import struct

from hostile_files.pt_files import F4, HUGE, numpy_array, of_stream, stream, tensor, told

__all__ = ["BOMBS", "PROGRAMS", "STREAMS"]

DAG = b")" + b"q\0h\0\x86" * 40 + b"q\1"
"""A tuple of tuples of tuples ..., whose text would have 2 ** 40 parts."""

HUGE_TENSOR = tensor(size=b"\x8a\x05\0\0\0\0\x10\x85", stride=b"K\0\x85")
"""A tensor that is expanded to 2 ** 36 items, which no comparison may look at."""

PROGRAMS = {
    "os.system": (b"cos\nsystem\nX\x02\0\0\0ls\x85R", "names 'os.system', which is not on the closed list"),
    "builtins.eval": (b"c__builtin__\neval\nX\x01\0\0\x001\x85R", "names 'builtins.eval'"),
    "posix by the stack": (b"X\x05\0\0\0posixX\x06\0\0\0system\x93", "names 'posix.system'"),
    "an attribute of a name": (b"ctorch\nload.__globals__\n", "closed list"),
    "a name by itself": (b"ctorch\nFloatStorage\n", "only a value may stand"),
    "a name in a tuple in a list": (b"](ctorch\nFloatStorage\n\x85e", "only a value may stand"),
    "a storage by itself": (told(), "only a value may stand"),
    "a call of a value": (b"X\x02\0\0\0ls)R", "str cannot be called"),
    "an unknown opcode": (b"i", "opcode b'i'"),
    "an inst": (b"(ios\nsystem\n", "opcode b'i'"),
    "an extension": (b"\x82\x01", "opcode b'.x82'"),
    "a new object": (b"ccollections\nOrderedDict\n)\x81", "no class that the program lets files name"),
    "an empty stack": (b"", "no value"),
    "a pop across a mark": (b"K\x01(0", "no value"),
    "no mark": (b"K\x01t", "no mark"),
    "an unkept number": (b"h\x05", "number 5"),
    "a huge memo number": (b"K\x01r\xff\xff\xff\xffj\xfe\xff\xff\xff", "number 4294967294"),
    "a huge text": (b"X\xff\xff\xff\xff", "cut off: 4294967295"),
    "huge bytes": (b"\x8e" + b"\xff" * 8, "cut off: 18446744073709551615"),
    "a huge int": (b"\x8b\xff\xff\xff\x7f", "cut off: 2147483647"),
    "text that is none": (b"X\x01\0\0\0\xff", "utf-8"),
    "protocol 9": (b"\x80\x09", "protocol 9"),
    "an unhashable key": (b"}]K\x01s", "list found as a key"),
    "a key without a value": (b"}(K\x01u", "without a value"),
    "an item for a dict": (b"}K\x01a", "dict found; list wanted"),
    "bytes in utf-7": (b"c_codecs\nencode\nX\x01\0\0\x001X\x05\0\0\0utf-7\x86R", "latin1"),
    "zeros by their number": (b"c__builtin__\nbytearray\n\x8a\x05\xff\xff\xff\xff\x00\x85R", "int found where bytes"),
    "attributes of a dict": (b"ccollections\nOrderedDict\n)R}X\x05\0\0\0itemsK\x01sb", "attributes"),
    "another storage": (tensor(told(key=b"1")), "no record 'data/1'"),
    "a path out": (tensor(told(key=b"../../data.pkl")), "no record"),
    "a short storage": (tensor(told(count=b"K\x07")), "has 24 bytes; 7 items"),
    "a huge storage": (tensor(told(count=HUGE)), "has 24 bytes"),
    "a short storage for doubles": (tensor(told(b"DoubleStorage")), "has 24 bytes; 6 items"),
    "a tensor beyond its storage": (tensor(size=b"K\x07\x85"), "wants more than the 6 items"),
    "an offset beyond": (tensor(offset=b"K\x01"), "wants more than the 6 items"),
    "an empty one far away": (tensor(offset=b"K\x07", size=b"K\0\x85"), "wants more than the 6 items"),
    "a stride beyond": (tensor(size=b"K\x02\x85", stride=b"K\x06\x85"), "wants more than the 6 items"),
    "a negative stride": (tensor(stride=b"J\xff\xff\xff\xff\x85"), "negative"),
    "a negative length": (tensor(size=b"J\xff\xff\xff\xff\x85"), "negative"),
    "too many items": (tensor(size=b"(" + HUGE * 3 + b"t", stride=b"(K\0K\0K\0t"), "too many items"),
    "more strides than lengths": (tensor(stride=b"K\x01K\x01\x86"), "zip"),
    "a length that is True": (tensor(size=b"\x88\x85"), "no int"),
    "gradients of ints": (tensor(told(b"LongStorage", count=b"K\x03"), size=b"K\x03\x85", rest=b"\x88N"), "grad"),
    "a tensor of a name": (tensor(b"ctorch\nFloatStorage\n"), "no storage"),
    "a NumPy array of objects": (numpy_array(b"\x8c\x02O8"), "only numeric ones"),
    "a NumPy array of too many items": (numpy_array(shape=HUGE + b"\x85"), "8 bytes for a NumPy array"),
    "a NumPy array of negative length": (numpy_array(shape=b"J\xff\xff\xff\xff\x85"), "a shape that is none"),
    "a NumPy array of a list": (numpy_array(data=b"]"), "list found where the bytes"),
    "a NumPy array of wrong bools": (numpy_array(b"\x8c\x02b1", shape=b"K\x08\x85"), "other than 0 and 1"),
    "a NumPy array without a state": (numpy_array() + b"K\x01b", "a state that is none"),
    "a NumPy dtype that is a tuple of tuples": (DAG + b"cnumpy\ndtype\nh\1\x89\x88\x87R", "dtype tuple found"),
    "a NumPy version that is a tensor": (numpy_array().replace(b"(K\1", b"(" + HUGE_TENSOR), "a state that is none"),
    "a NumPy shape of tensors": (numpy_array().replace(b"K\0\x85C\1b", HUGE_TENSOR + b"\x85C\1b"), "another class than ndarray"),
    "a NumPy code that is a tensor": (numpy_array().replace(b"C\1b", HUGE_TENSOR), "another class than ndarray"),
    "marks that are tensors": (tensor(rest=b"\x89N}X\4\0\0\0conj" + HUGE_TENSOR + b"s"), "conj and neg, which are bools"),
    "a device that is a tensor": (b"ctorch\ndevice\n" + HUGE_TENSOR + b"\x85R", "Tensor found where str"),
    "an index that is a tensor": (b"ctorch\ndevice\nX\3\0\0\0cpu" + HUGE_TENSOR + b"\x86R", "Tensor found where int"),
    "a storage by a long key": (tensor(told(key=b"0" * 60_000)), "by 60000 characters"),
    "a storage by a tensor": (tensor(told().replace(b"X\1\0\0\x000", HUGE_TENSOR)), "no key, location and length"),
    "a storage of a negative number": (tensor(told(count=b"J\xff\xff\xff\xff")), "no key, location and length"),
    "a tensor as a key": (b"}" + HUGE_TENSOR + b"K\1s", "Tensor found as a key"),
    "a tensor of 65 dims": (tensor(size=b"(" + b"K\1" * 65 + b"t", stride=b"(" + b"K\1" * 65 + b"t"), "at most 64"),
    "an int of 10,000 digits as a length": (tensor(size=b"\x8b\x88\x13\0\0" + b"\x7f" * 5000 + b"\x85"), "too large"),
    "a Size of texts": (b"ctorch\nSize\nX\1\0\0\0a\x85\x85R", "str found where int"),
    "a layout of another kind": (b"ctorch.serialization\n_get_layout\nX\1\0\0\0a\x85R", "other than torch.strided"),
    "a named tuple of too few": (b"ctorch.return_types\nsort\nK\1\x85\x85R", "parts given: 1, for sort"),
    "a NumPy array of a matrix": (b"cnumpy\nmatrix\n", "names 'numpy.matrix'"),
    "a NumPy dtype by itself": (b"cnumpy\ndtype\n\x8c\x02f4\x89\x88\x87R", "only a value may stand"),
    "a NumPy dtype with fields": (b"cnumpy\ndtype\n\x8c\x02f4\x89\x88\x87R(K\x03\x8c\x01<N)}J\xff\xff\xff\xffK\1K\0tb", "state of another"),
    "a NumPy scalar that is cut off": (b"cnumpy._core.multiarray\nscalar\n" + F4 + b"C\x02ab\x86R", "2 bytes for a NumPy"),
    "a dtype that is not here": (b"ctorch\nquint4x2\n", "names 'torch.quint4x2'"),
}  # fmt: skip

STREAMS = {
    "a name": (of_stream(b"cos\nsystem\nX\x02\0\0\0ls\x85R"), "names 'os.system'"),
    "a module with its source": (of_stream(b"(X\6\0\0\0moduleNNNtQ"), "no storage"),
    "a huge storage": (of_stream(tensor(told(count=HUGE))), "more bytes than the file has"),
    "many storages": (of_stream(b"](" + b"".join(tensor(told(key=b"%d" % i, count=b"K\x3c")) for i in range(99)) + b"e"), "more bytes"),
    "another length": (of_stream(tensor(), content=struct.pack("<Q", 7) + b"\0" * 28), "7 items in its storage 0"),
    "a cut storage": (of_stream(tensor(), content=struct.pack("<Q", 6) + b"\0" * 23), "cut off within its storage"),
    "no keys": (of_stream(tensor(), keys=b"]"), "list of storages"),
    "keys twice": (of_stream(tensor(), keys=b"](" + b"X\x01\0\0\x000" * 2 + b"e"), "list of storages"),
    "keys of another kind": (of_stream(tensor(), keys=b"](K\0e"), "list of storages"),
    "a view beyond": (of_stream(tensor(told().replace(b"tQ", b"X\1\0\0\0vK\4K\3\x87tQ"))), "a view of items 4 to 7"),
    "a view that is none": (of_stream(tensor(told().replace(b"tQ", b"X\1\0\0\0vN\x86tQ"))), "a view of a storage by"),
    "a tensor beyond its view": (of_stream(tensor(told().replace(b"tQ", b"X\1\0\0\0vK\4K\2\x87tQ"))), "more than the 2 items"),
    "wrong bools": (of_stream(tensor(told(b"BoolStorage")), content=struct.pack("<Q", 6) + b"\2" * 6), "other than 0 and 1"),
    "a bare pickle": (b"\x80\x02K\x01.", "not of torch.save"),
    "another version": (stream().replace(b"M\xe9\x03.", b"M\xea\x03.", 1), "unknown version"),
}  # fmt: skip

TEXT = b"X" + struct.pack("<I", 100_000) + b"a" * 100_000
MANY = b"](" + b"".join(b"J" + struct.pack("<i", i) for i in range(4000)) + b"e"

BOMBS = {
    "lists in lists": b"]" * 4000 + b"a" * 3999,
    "dicts in dicts": b"}K\1" * 4000 + b"}" + b"s" * 4000,
    "marks": b"(" * 4000 + b"K\1" + b"t" * 4000,
    "sets in sets": b"\x8f(" * 4000 + b"\x90" * 3999,
    "a list in itself": b"]q\0h\0a",
    "bytes again and again": TEXT + b"q\0](" + b"c_codecs\nencode\nh\0X\x06\0\0\0latin1\x86R" * 500 + b"e",
    "sets of one list": MANY + b"q\0](" + b"c__builtin__\nset\nh\0\x85R" * 500 + b"e",
    "tuples of tuples as a key": DAG + b"}h\x01K\x01s",
    "tuples of tuples as a value": DAG,
    "tuples of tuples deep as a key": b")" + b"\x85" * 4000 + b"q\x01}h\x01K\x01s",
    "one long tuple as many keys": b"(" + b"K\x01" * 10_000 + b"tq\0}(" + b"h\0K\x01" * 4000 + b"u",
    "complex numbers of one hash": b"c__builtin__\ncomplex\nq\0](" + b"".join(
        b"h\0G" + struct.pack(">d", -1000003.0 * i) + b"G" + struct.pack(">d", i) + b"\x86R" for i in range(4000)
    ) + b"eq\x01c__builtin__\nset\nh\x01\x85R",
    "arrays of the same bytes": TEXT.replace(b"X", b"B", 1) + b"q\0](" + numpy_array(shape=b"M\xa8\x61\x85", data=b"h\0") * 500 + b"e",
    "conjugates of one storage": b"](" + b"".join(
        tensor(told(b"ComplexFloatStorage", count=b"K\x03"), size=b"K\x03\x85", rest=b"\x89N}X\x04\0\0\0conj\x88s").replace(
            b"K\0", b"K" + bytes([i % 3]), 1
        ).replace(b"K\x03\x85", b"K\x01\x85") for i in range(500)
    ) + b"e",
}  # fmt: skip
