"""The files that TensorBoard reads: events, each a message of protocol buffers, one after another in checked records.

A record is the length of its data, a check sum of the length, the data, and a check sum of the data, as TFRecord has
them (https://www.tensorflow.org/tutorials/load_data/tfrecord). An event holds a time, a step and a summary; the numbers
of the fields are those of `event.proto` and `summary.proto` in TensorFlow.
"""

from __future__ import annotations

import struct

POLYNOMIAL = 0x82F63B78  # of CRC-32C, Castagnoli's, with its bits reversed


def _entry(value: int) -> int:
    for _ in range(8):
        value = value >> 1 ^ (POLYNOMIAL if value & 1 else 0)
    return value


ENTRIES = [_entry(value) for value in range(256)]


def crc32c(data: bytes) -> int:
    """The check sum CRC-32C of some bytes.

    >>> hex(crc32c(b"123456789"))
    '0xe3069283'
    """
    crc = 0xFFFFFFFF
    for byte in data:
        crc = ENTRIES[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def _checked(data: bytes) -> bytes:
    """Data with its check sum behind it, turned and shifted as TFRecord wants it."""
    crc = crc32c(data)
    return data + struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def record(data: bytes) -> bytes:
    """Data as one record of a file."""
    return _checked(struct.pack("<Q", len(data))) + _checked(data)


# -- protocol buffers: a message is a row of fields, each its number, the kind of its value, and the value


def _varint(value: int) -> bytes:
    """An integer in groups of seven bits, the least first; a negative one as in 64 bits."""
    value &= (1 << 64) - 1
    groups = [value & 0x7F]
    while value := value >> 7:
        groups[-1] |= 0x80
        groups.append(value & 0x7F)
    return bytes(groups)


def integer(number: int, value: int) -> bytes:
    """A field that holds an integer."""
    return _varint(number << 3) + _varint(value)


def double(number: int, value: float) -> bytes:
    """A field that holds a float64."""
    return _varint(number << 3 | 1) + struct.pack("<d", value)


def single(number: int, value: float) -> bytes:
    """A field that holds a float32."""
    return _varint(number << 3 | 5) + struct.pack("<f", value)


def block(number: int, value: bytes | str) -> bytes:
    """A field that holds a text, bytes, or a message."""
    contents = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(contents)) + contents


# -- events and what they hold


def first_event(time: float) -> bytes:
    """The event with which a file begins."""
    return double(1, time) + block(3, "brain.Event:2")


def session_start(time: float, step: int) -> bytes:
    """The event that a program begins anew at a step: what was written of later ones does not count."""
    return double(1, time) + integer(2, step) + block(7, integer(1, 1))


def event(time: float, step: int, tag: str, value: bytes) -> bytes:
    """The event that something, shown as `tag`, has a value at a step."""
    return double(1, time) + integer(2, step) + block(5, block(1, block(1, tag) + value))


def scalar(value: float) -> bytes:
    """A number, as float32."""
    return single(2, value)


def image(png: bytes, height: int, width: int, channels: int) -> bytes:
    """An image, as a PNG."""
    return block(4, integer(1, height) + integer(2, width) + integer(3, channels) + block(4, png))


def histogram(values, limits, counts) -> bytes:
    """How many values of an array lie below each limit, and above the one before."""
    facts = (values.min(), values.max(), values.size, values.sum(), (values * values).sum())
    fields = [double(number, float(fact)) for number, fact in enumerate(facts, 1)]
    packed = [block(number, struct.pack(f"<{len(row)}d", *row)) for number, row in ((6, limits), (7, counts))]
    return block(5, b"".join([*fields, *packed]))


def text(value: str) -> bytes:
    """A text, as a tensor of one string for the plugin that shows texts."""
    tensor = integer(1, 7) + block(2, block(2, integer(1, 1))) + block(8, value)
    return block(8, tensor) + block(9, block(1, block(1, "text")))
