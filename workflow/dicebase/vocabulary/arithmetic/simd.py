"""Eight doubles side by side as one value in compiled code (SIMD); Numba does not reliably vectorise loops over lanes.

Arithmetic and comparisons act on each lane as on a double, and lanes do not mix. On processors with narrower vectors
the compiler splits them; results agree to the last bit.
"""

import operator

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

LANES = 8
VECTOR = ir.VectorType(ir.DoubleType(), LANES)
NUMBERS = ir.IntType(32)


class _Lanes(types.Type):
    """The Numba type of eight doubles, or of eight truth values."""


eight, mask = _Lanes("eight doubles"), _Lanes("eight truth values")


@register_model(_Lanes)
class _Model(models.PrimitiveModel):
    def __init__(self, manager, kind):
        of = ir.DoubleType() if kind is eight else ir.IntType(1)
        super().__init__(manager, kind, ir.VectorType(of, LANES))


def in_blocks(numbers: np.ndarray) -> np.ndarray:
    """Pad the last axis with zeros to a multiple of LANES."""
    if numbers.shape[-1] % LANES == 0 and numbers.flags.c_contiguous:
        return numbers
    wide = np.zeros((*numbers.shape[:-1], -(-numbers.shape[-1] // LANES) * LANES))
    wide[..., : numbers.shape[-1]] = numbers
    return wide


def _splat(builder, number):
    """Return LLVM code that puts one double into all lanes."""
    one = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), number, ir.Constant(NUMBERS, 0))
    zeros = ir.Constant(ir.VectorType(NUMBERS, LANES), [0] * LANES)
    return builder.shuffle_vector(one, ir.Constant(VECTOR, ir.Undefined), zeros)


def _operator(function, result, instruction):
    """Overload a Python operator for eights, with an eight or a double on either side."""
    cases = [(eight, eight), (eight, types.float64), (types.float64, eight)]

    @infer_global(function)
    class Template(ConcreteTemplate):
        pass

    Template.cases = [signature(result, *case) for case in cases]
    for case in cases:

        @lower_builtin(function, *case)
        def lower(context, builder, sig, arguments):
            sides = [x if t is eight else _splat(builder, x) for x, t in zip(arguments, sig.args, strict=True)]
            return instruction(builder, *sides)


_operator(operator.add, eight, lambda builder, x, y: builder.fadd(x, y))
_operator(operator.iadd, eight, lambda builder, x, y: builder.fadd(x, y))
_operator(operator.sub, eight, lambda builder, x, y: builder.fsub(x, y))
_operator(operator.mul, eight, lambda builder, x, y: builder.fmul(x, y))
_operator(operator.truediv, eight, lambda builder, x, y: builder.fdiv(x, y))
_operator(operator.gt, mask, lambda builder, x, y: builder.fcmp_ordered(">", x, y))


@intrinsic
def where(typing, condition, x, y):
    """Return x in lanes where the condition holds, y in the others."""
    return eight(mask, eight, eight), lambda context, builder, sig, arguments: builder.select(*arguments)


@intrinsic
def splat(typing, number):
    """Return one double in all lanes."""
    return eight(types.float64), lambda context, builder, sig, arguments: _splat(builder, arguments[0])


def _place(context, builder, sig, arguments):
    array = context.make_array(sig.args[0])(context, builder, arguments[0])
    return builder.bitcast(builder.gep(array.data, [arguments[1]]), VECTOR.as_pointer())


@intrinsic
def load(typing, array, first):
    """Read eight numbers of a flat array of doubles from index `first`; bounds are not checked."""

    def generate(context, builder, sig, arguments):
        found = builder.load(_place(context, builder, sig, arguments))
        found.align = 8
        return found

    return eight(array, types.intp), generate


@intrinsic
def store(typing, array, first, numbers):
    """Write eight numbers into a flat array of doubles from index `first`; bounds are not checked."""

    def generate(context, builder, sig, arguments):
        builder.store(arguments[2], _place(context, builder, sig, arguments)).align = 8
        return context.get_dummy_value()

    return types.void(array, types.intp, numbers), generate
