"""Counts of any size: unsigned numbers of several 64-bit words, the lowest first, kept in int64 arrays.

Nothing wraps around. An operation whose result needs another word changes nothing and says so; the driver then gives
every count twice as many words and asks again.
"""

from collections.abc import Callable
from typing import Any, cast

import numba
import numpy as np
from llvmlite import ir
from numba.extending import intrinsic

from crosscount.native.compiled import inlined, jit
from crosscount.native.model import Ints


def _operation(generate: Callable[[Any, Any, Any], Any]) -> Callable[[int, int], int]:
    """Machine instructions from two int64 to one."""

    @intrinsic
    def operation(typing_context: Any, a: Any, b: Any) -> Any:
        signature = numba.int64(numba.int64, numba.int64)
        return signature, lambda context, builder, signature, args: generate(builder, args[0], args[1])

    return cast(Callable[[int, int], int], operation)


def _high(builder: Any, a: Any, b: Any) -> Any:
    wide = ir.IntType(128)
    product = builder.mul(builder.zext(a, wide), builder.zext(b, wide))
    return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))


def _below(builder: Any, a: Any, b: Any) -> Any:
    return builder.zext(builder.icmp_unsigned("<", a, b), ir.IntType(64))


high = _operation(_high)
"""The upper 64 bits of the unsigned product; `a * b` is the lower ones."""
below = _operation(_below)
"""1 where a < b as unsigned numbers, else 0."""


@inlined
def add(total: Ints, result: Ints) -> bool:
    """Add `result` to `total`; False, with nothing changed, where the sum does not fit."""
    carry = 0
    for i in range(len(total)):
        half = total[i] + result[i]
        carry = below(half, result[i]) | below(half + carry, carry)
    if carry != 0:
        return False
    for i in range(len(total)):
        half = total[i] + result[i]
        total[i] = half + carry
        carry = below(half, result[i]) | below(total[i], carry)
    return True


@jit
def multiply(total: Ints, result: Ints, scratch: Ints) -> bool:
    """Multiply `total` by `result`; False, with nothing changed, where the product does not fit."""
    size = len(total)
    for i in range(2 * size):
        scratch[i] = 0
    for i in range(size):
        carry = 0
        for k in range(size):
            low = total[i] * result[k]
            up = high(total[i], result[k])
            half = low + carry
            up += below(half, carry)
            scratch[i + k] += half
            carry = up + below(scratch[i + k], half)
        scratch[i + size] = carry
    for i in range(size, 2 * size):
        if scratch[i] != 0:
            return False
    for i in range(size):
        total[i] = scratch[i]
    return True


@inlined
def is_zero(total: Ints) -> bool:
    some = 0
    for word in total:
        some |= word
    return some == 0


def to_int(words: Ints) -> int:
    """The number that the words stand for."""
    return int.from_bytes(np.ascontiguousarray(words).astype("<i8").tobytes(), "little")


def widened(counts: Ints, words: int) -> Ints:
    """The same counts, in the last dimension of an array, with so many words each."""
    wider = np.zeros((*counts.shape[:-1], words), np.int64)
    wider[..., : counts.shape[-1]] = counts
    return wider
