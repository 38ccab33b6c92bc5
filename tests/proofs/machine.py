"""Evaluates functions of LLVM's intermediate language on bit-vectors, lane by lane.

An unknown instruction is an error (`Unknown`). The machine never skips it. Memory consists of bytes
in objects of known length. An access outside an object is an error. An access with more alignment
than the object has is also an error.

A flag such as `nsw` makes the result undefined if a sum overflows, and a shift by too many bits has
no defined result. For each flag and each shift, the machine stores the condition under which the
lane's result is defined. `Machine.needed` returns the conditions of all lanes that are used in a
result, an address or another condition, even if the value does not depend on them. The caller
proves these conditions. A lane without a value (`poison`, `undef`, memory that was not written) is
`None`, and must not be a part of a result.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import z3
from ir import Lane, Module, Object, Pointer, Reader, Type, Unknown, Value, constant, folded, metadata, number, skip_attributes

BINARY = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: a << b,
    "lshr": z3.LShR,
    "ashr": lambda a, b: a >> b,
}
COMPARE = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "ult": z3.ULT,
    "ule": z3.ULE,
    "ugt": z3.UGT,
    "uge": z3.UGE,
    "slt": lambda a, b: a < b,
    "sle": lambda a, b: a <= b,
    "sgt": lambda a, b: a > b,
    "sge": lambda a, b: a >= b,
}
# For each instruction and flag, the condition under which the result is defined.
FLAGS = {
    ("add", "nuw"): lambda a, b: z3.BVAddNoOverflow(a, b, False),
    ("add", "nsw"): lambda a, b: z3.And(z3.BVAddNoOverflow(a, b, True), z3.BVAddNoUnderflow(a, b)),
    ("sub", "nuw"): lambda a, b: z3.BVSubNoUnderflow(a, b, False),
    ("sub", "nsw"): lambda a, b: z3.And(z3.BVSubNoOverflow(a, b), z3.BVSubNoUnderflow(a, b, True)),
    ("mul", "nuw"): lambda a, b: z3.BVMulNoOverflow(a, b, False),
    ("mul", "nsw"): lambda a, b: z3.And(z3.BVMulNoOverflow(a, b, True), z3.BVMulNoUnderflow(a, b)),
    ("shl", "nuw"): lambda a, b: z3.LShR(a << b, b) == a,
    ("shl", "nsw"): lambda a, b: (a << b) >> b == a,
    ("lshr", "exact"): lambda a, b: z3.LShR(a, b) << b == a,
    ("ashr", "exact"): lambda a, b: (a >> b) << b == a,
    ("or", "disjoint"): lambda a, b: a & b == 0,
}


def is_short(factor: z3.BitVecRef, signed: bool) -> bool:
    """Returns whether a factor fits into half of its bits for all inputs.

    If two factors fit, their product does not overflow.
    """
    half = factor.size() // 2
    extend = z3.SignExt if signed else z3.ZeroExt
    return z3.is_true(z3.simplify(extend(factor.size() - half, z3.Extract(half - 1, 0, factor)) == factor))


def rounded(operation: str, *bits: z3.BitVecRef) -> z3.BitVecRef:
    """Applies an IEEE 754 operation to numbers with these bits.

    The result is an arbitrary function of the bits, because the proofs use only that equal bits give
    equal results.
    """
    width = bits[0].size()
    sorts = [z3.BitVecSort(bit.size()) for bit in bits]
    return z3.Function(f"{operation}{width}", *sorts, z3.BitVecSort(width))(*bits)


def truth(condition: z3.BoolRef) -> z3.BitVecRef:
    return z3.If(condition, number(1, 1), number(0, 1))


@dataclass
class Machine:
    """Evaluates functions of a module."""

    module: Module
    intrinsics: dict
    # Conditions that must always be true, each with its instruction.
    conditions: list[tuple[z3.BoolRef, str]] = field(default_factory=list)
    # Conditions that must be true if a lane is used: for the ID of the lane's term, the term and its
    # conditions. The table keeps the term, because z3 would give its ID to a new term.
    lane_conditions: dict[int, tuple[z3.BitVecRef, list[tuple[z3.BoolRef, str]]]] = field(default_factory=dict)
    addresses: list[z3.BitVecRef] = field(default_factory=list)
    steps: int = 0

    def condition(self, condition: z3.BoolRef, why: str) -> None:
        if not z3.is_true(z3.simplify(condition)):
            self.conditions.append((condition, why))

    def with_conditions(self, lane: z3.BitVecRef, conditions: list[z3.BoolRef], why: str) -> Lane:
        """Returns the lane, and stores the conditions under which it may be used.

        Returns `None` if a condition is false for all inputs, because the lane then has no value.
        """
        for condition in conditions:
            known = z3.simplify(condition)
            if z3.is_false(known):
                return None
            if not z3.is_true(known):
                self.lane_conditions.setdefault(lane.get_id(), (lane, []))[1].append((condition, why))
        return lane

    def needed(self, results: list[z3.BitVecRef]) -> list[tuple[z3.BoolRef, str]]:
        """Returns `conditions`, and the conditions of all lanes in the results and addresses."""
        found, seen = list(self.conditions), set()
        todo: list[z3.ExprRef] = [*results, *self.addresses, *(condition for condition, _ in self.conditions)]
        while todo:
            term = todo.pop()
            if term.get_id() not in seen:
                seen.add(term.get_id())
                conditions_of_term = self.lane_conditions.get(term.get_id(), (term, []))[1]
                found += conditions_of_term
                todo += [*term.children(), *(condition for condition, _ in conditions_of_term)]
        return found

    # Memory.

    def places(self, pointer: Pointer, size: int, align: int, line: str) -> list[tuple[z3.BoolRef | None, int]]:
        """Returns the possible byte offsets of an access to `size` bytes, each with its condition.

        If the offset is a constant, the condition is `None`.
        """
        object = pointer.object
        at = constant(pointer.offset)
        if at is not None:
            if at + size > len(object.bytes) or at % align or object.align % align:
                raise Unknown(f"{size} bytes at {at} of {object.name}, which has {len(object.bytes)}: {line}")
            return [(None, at)]
        self.addresses.append(pointer.offset)
        choices = range(0, len(object.bytes) - size + 1, size)
        if object.align % align or size % align:
            raise Unknown(f"alignment: {line}")
        self.condition(z3.Or([pointer.offset == at for at in choices]), line)
        return [(pointer.offset == at, at) for at in choices]

    def read(self, object: Object, at: int, bits: int) -> Lane:
        parts = object.bytes[at : at + bits // 8]
        if any(part is None for part in parts):
            return None
        first = parts[0][0]
        if all(part[0] is first and part[1] == i for i, part in enumerate(parts)):
            if isinstance(first, Pointer) or first.size() == bits:
                return first
        if any(isinstance(part[0], Pointer) for part in parts):
            raise Unknown("a part of a pointer")
        bytes = [z3.Extract(8 * i + 7, 8 * i, whole) if whole.size() > 8 else whole for whole, i in parts]
        return folded(z3.Concat(*reversed(bytes))) if len(bytes) > 1 else folded(bytes[0])

    def load(self, pointer: Pointer, type: Type, align: int, line: str) -> list[Lane]:
        step = type.size() // type.lanes
        lanes: list[Lane] = []
        places = self.places(pointer, type.size(), align, line)
        for i in range(type.lanes):
            found: Lane = None
            for condition, at in places:
                lane = self.read(pointer.object, at + i * step, 8 * step)
                if condition is None:
                    found = lane
                elif lane is None:
                    raise Unknown(f"memory that was not written: {line}")
                else:
                    found = lane if found is None else z3.If(condition, lane, found)
            if type.element == 1 and found is not None:
                self.condition(z3.ULE(found, 1), line)
                found = z3.Extract(0, 0, found)
            lanes.append(found)
        return lanes

    def store(self, pointer: Pointer, value: Value, align: int, line: str) -> None:
        if not pointer.object.writable:
            raise Unknown(f"a store to {pointer.object.name}: {line}")
        step = value.type.size() // value.type.lanes
        places = self.places(pointer, value.type.size(), align, line)
        for i, lane in enumerate(value.lanes):
            if value.type.element == 1 and lane is not None:
                lane = z3.ZeroExt(7, lane)
            for condition, at in places:
                at += i * step
                new = lane
                if condition is not None:
                    old = self.read(pointer.object, at, 8 * step)
                    # Memory that was not written can have any value.
                    old = z3.FreshConst(z3.BitVecSort(8 * step)) if old is None else old
                    if lane is None:
                        raise Unknown(f"a lane without a value: {line}")
                    new = z3.If(condition, lane, old)
                pointer.object.bytes[at : at + step] = [None if new is None else (new, k) for k in range(step)]

    # Instructions.

    def call(self, name: str, arguments: list[Value]) -> Value | None:
        function = self.module.function(name)
        if len(arguments) != len(function.parameters):
            raise Unknown(f"{len(arguments)} arguments for {name}")
        names = dict(zip(function.parameters, arguments))
        block, before = function.entry, ""
        while True:
            values = {}
            lines = function.blocks[block]
            for line in lines:
                if " = phi " in line:
                    values[line.split(" = ")[0]] = self.phi(line, names, before)
            names |= values
            for line in lines:
                if " = phi " in line:
                    continue
                self.steps += 1
                if self.steps > 100_000:
                    raise Unknown("a loop without an end")
                result, line = re.fullmatch(r'(?:(%(?:"[^"]*"|[-\w.$]+)) = )?(.*)', line).groups()
                if line.startswith("ret "):
                    return self.returned(line, names)
                if line.startswith("br "):
                    before, block = block, self.branch(line, names)
                    break
                value = self.instruction(line, names)
                if result:
                    names[result] = value
            else:
                raise Unknown(f"a block without an end: {block}")

    def operand(self, reader: Reader, type: Type, names: dict[str, Value]) -> Value:
        token = reader.peek()
        if token.startswith("%"):
            value = names[reader.next()]
            if value.type != type:
                raise Unknown(f"{value.type} is not {type}: {reader.text}")
            return value
        if token.startswith("@"):
            return Value(type, [Pointer(self.module.constant(reader.next()[1:]), number(0, 64))])
        if token == "getelementptr":
            reader.next()
            reader.one_of({"inbounds", "nuw", "nusw"})
            reader.expect("(")
            step = reader.type().size()
            reader.expect(",")
            pointer = self.typed(reader, names).lanes[0]
            reader.expect(",")
            index = self.typed(reader, names).lanes[0]
            reader.expect(")")
            return Value(type, [Pointer(pointer.object, folded(pointer.offset + index * step))])
        if type.element == 0:
            raise Unknown(f"the pointer {token!r}: {reader.text}")
        return Value(type, reader.literal(type))

    def typed(self, reader: Reader, names: dict[str, Value]) -> Value:
        type = reader.type()
        skip_attributes(reader)
        return self.operand(reader, type, names)

    def phi(self, line: str, names: dict[str, Value], before: str) -> Value:
        reader = Reader(line.split(" = phi ", 1)[1])
        type = reader.type()
        while True:
            reader.expect("[")
            start = reader.at
            reader.next()
            reader.expect(",")
            if reader.next() == f"%{before}":
                reader.at = start
                return self.operand(reader, type, names)
            reader.expect("]")
            reader.expect(",")

    def branch(self, line: str, names: dict[str, Value]) -> str:
        reader = Reader(line[3:])
        if reader.take("label"):
            return reader.next()[1:]
        reader.expect("i1")
        taken = constant(self.operand(reader, Type(1), names).lanes[0])
        if taken is None:
            raise Unknown(f"a branch on a value: {line}")
        targets = []
        while reader.take(","):
            if not reader.take("label"):
                break
            targets.append(reader.next()[1:])
        return targets[0 if taken else 1]

    def returned(self, line: str, names: dict[str, Value]) -> Value | None:
        reader = Reader(line[4:])
        return None if reader.take("void") else self.typed(reader, names)

    def instruction(self, line: str, names: dict[str, Value]) -> Value | None:
        reader = Reader(line)
        word = reader.next()
        if word in BINARY:
            return self.binary(word, reader, names)
        if word in ("tail", "call"):
            if word == "tail":
                reader.expect("call")
            return self.called(reader, names)
        method = getattr(self, f"do_{word}", None)
        if method is None:
            raise Unknown(f"the instruction {line}")
        return method(reader, names)

    def end(self, reader: Reader) -> None:
        if reader.peek():
            raise Unknown(f"{reader.peek()!r}: {reader.text}")

    def each(self, type: Type, f, *values: Value) -> Value:
        """Applies `f` to each lane. If a lane of an argument has no value, the result's lane has no
        value."""
        rows = zip(*(value.lanes for value in values))
        return Value(type, [None if any(x is None for x in row) else folded(f(*row)) for row in rows])

    def binary(self, word: str, reader: Reader, names: dict[str, Value]) -> Value:
        flags = reader.one_of({"nuw", "nsw", "exact", "disjoint"})
        a = self.typed(reader, names)
        reader.expect(",")
        b = self.operand(reader, a.type, names)
        self.end(reader)
        shift = word in ("shl", "lshr", "ashr")
        lanes: list[Lane] = []
        for x, y in zip(a.lanes, b.lanes):
            if x is None or y is None:
                lanes.append(None)
                continue
            if shift and (constant(y) is not None and constant(y) >= a.type.element):
                lanes.append(None)
                continue
            conditions = [z3.ULT(y, a.type.element)] if shift else []
            for flag in flags:
                if (word, flag) not in FLAGS:
                    raise Unknown(f"the flag {flag}: {reader.text}")
                if word != "mul" or not (is_short(x, flag == "nsw") and is_short(y, flag == "nsw")):
                    conditions.append(FLAGS[word, flag](x, y))
            lanes.append(self.with_conditions(folded(BINARY[word](x, y)), conditions, reader.text))
        return Value(a.type, lanes)

    def do_icmp(self, reader: Reader, names: dict[str, Value]) -> Value:
        samesign = reader.take("samesign")
        compare = COMPARE[reader.next()]
        a = self.typed(reader, names)
        reader.expect(",")
        b = self.operand(reader, a.type, names)
        self.end(reader)
        if samesign:
            for x, y in zip(a.lanes, b.lanes):
                if x is not None and y is not None:
                    self.condition((x < 0) == (y < 0), reader.text)
        return self.each(Type(1, a.type.lanes, a.type.vector), lambda x, y: truth(compare(x, y)), a, b)

    def do_fcmp(self, reader: Reader, names: dict[str, Value]) -> Value:
        # The only supported relation is `ole`, "ordered and at most". Flags such as `nnan` are
        # errors.
        reader.expect("ole")
        a = self.typed(reader, names)
        reader.expect(",")
        b = self.operand(reader, a.type, names)
        self.end(reader)
        at_most = lambda x, y: z3.Extract(0, 0, rounded("at_most", x, y))
        return self.each(Type(1, a.type.lanes, a.type.vector), at_most, a, b)

    def do_select(self, reader: Reader, names: dict[str, Value]) -> Value:
        choice = self.typed(reader, names)
        reader.expect(",")
        a = self.typed(reader, names)
        reader.expect(",")
        b = self.typed(reader, names)
        self.end(reader)
        lanes: list[Lane] = []
        choices = choice.lanes * (a.type.lanes // choice.type.lanes)
        for c, x, y in zip(choices, a.lanes, b.lanes):
            known = constant(c)
            if known is not None:
                lanes.append(x if known else y)
            else:
                lanes.append(None if c is None or x is None or y is None else z3.If(c == 1, x, y))
        return Value(a.type, lanes)

    def cast(self, reader: Reader, names: dict[str, Value], f, flags: dict) -> Value:
        present = reader.one_of(set(flags))
        a = self.typed(reader, names)
        reader.expect("to")
        type = reader.type()
        self.end(reader)
        found = self.each(type, lambda x: f(x, type.element), a)
        for i, lane in enumerate(a.lanes):
            if lane is not None:
                conditions = [flags[flag](lane, type.element) for flag in present]
                found.lanes[i] = self.with_conditions(found.lanes[i], conditions, reader.text)
        return found

    def do_zext(self, reader: Reader, names: dict[str, Value]) -> Value:
        extend = lambda x, to: z3.ZeroExt(to - x.size(), x)
        return self.cast(reader, names, extend, {"nneg": lambda x, _: x >= 0})

    def do_sext(self, reader: Reader, names: dict[str, Value]) -> Value:
        return self.cast(reader, names, lambda x, to: z3.SignExt(to - x.size(), x), {})

    def do_trunc(self, reader: Reader, names: dict[str, Value]) -> Value:
        low = lambda x, to: z3.Extract(to - 1, 0, x)
        flags = {
            "nuw": lambda x, to: z3.Extract(x.size() - 1, to, x) == 0,
            "nsw": lambda x, to: z3.SignExt(x.size() - to, low(x, to)) == x,
        }
        return self.cast(reader, names, low, flags)

    def do_sitofp(self, reader: Reader, names: dict[str, Value]) -> Value:
        return self.cast(reader, names, lambda x, to: rounded(f"from_i{x.size()}_to_f{to}_", x), {})

    def do_freeze(self, reader: Reader, names: dict[str, Value]) -> Value:
        a = self.typed(reader, names)
        width = z3.BitVecSort(a.type.bits())
        return Value(a.type, [z3.FreshConst(width) if lane is None else lane for lane in a.lanes])

    def do_bitcast(self, reader: Reader, names: dict[str, Value]) -> Value:
        a = self.typed(reader, names)
        reader.expect("to")
        to = reader.type()
        self.end(reader)
        return Value(to, recast(a.lanes, a.type.bits(), to.bits()))

    def do_shufflevector(self, reader: Reader, names: dict[str, Value]) -> Value:
        a = self.typed(reader, names)
        reader.expect(",")
        b = self.typed(reader, names)
        reader.expect(",")
        places = self.typed(reader, names)
        self.end(reader)
        both = a.lanes + b.lanes
        lanes = [None if place is None else both[constant(place)] for place in places.lanes]
        return Value(Type(a.type.element, len(lanes), True), lanes)

    def do_insertelement(self, reader: Reader, names: dict[str, Value]) -> Value:
        a = self.typed(reader, names)
        reader.expect(",")
        lane = self.typed(reader, names)
        reader.expect(",")
        at = constant(self.typed(reader, names).lanes[0])
        self.end(reader)
        return Value(a.type, a.lanes[:at] + lane.lanes + a.lanes[at + 1 :])

    def do_extractelement(self, reader: Reader, names: dict[str, Value]) -> Value:
        a = self.typed(reader, names)
        reader.expect(",")
        at = constant(self.typed(reader, names).lanes[0])
        self.end(reader)
        return Value(Type(a.type.element), [a.lanes[at]])

    def real(self, word: str, reader: Reader, names: dict[str, Value]) -> Value:
        """Evaluates an IEEE 754 operation.

        A flag that allows fused or reordered operations is an error, because the reader expects a
        type instead of the flag.
        """
        a = self.typed(reader, names)
        reader.expect(",")
        b = self.operand(reader, a.type, names)
        self.end(reader)
        return self.each(a.type, lambda x, y: rounded(word, x, y), a, b)

    def do_fadd(self, reader: Reader, names: dict[str, Value]) -> Value:
        return self.real("fadd", reader, names)

    def do_fsub(self, reader: Reader, names: dict[str, Value]) -> Value:
        return self.real("fsub", reader, names)

    def do_fmul(self, reader: Reader, names: dict[str, Value]) -> Value:
        return self.real("fmul", reader, names)

    def do_fdiv(self, reader: Reader, names: dict[str, Value]) -> Value:
        return self.real("fdiv", reader, names)

    def do_fneg(self, reader: Reader, names: dict[str, Value]) -> Value:
        a = self.typed(reader, names)
        self.end(reader)
        return self.each(a.type, lambda x: x ^ number(1 << (x.size() - 1), x.size()), a)

    def do_alloca(self, reader: Reader, names: dict[str, Value]) -> Value:
        type = reader.type()
        align = metadata(reader)
        return Value(Type(), [Pointer(Object("a variable", align, [None] * type.size()), number(0, 64))])

    def do_getelementptr(self, reader: Reader, names: dict[str, Value]) -> Value:
        # The flags `inbounds`, `nuw` and `nusw` state that the address is inside the object, or
        # that its computation does not overflow. They add no condition, because an access outside
        # the object is already an error.
        reader.one_of({"inbounds", "nuw", "nusw"})
        step = reader.type().size()
        reader.expect(",")
        pointer = self.typed(reader, names).lanes[0]
        reader.expect(",")
        index = self.typed(reader, names).lanes[0]
        self.end(reader)
        # An index with fewer than 64 bits is a signed number.
        index = folded(z3.SignExt(64 - index.size(), index))
        offset = folded(pointer.offset + folded(index * step))
        return Value(Type(), [Pointer(pointer.object, offset)])

    def do_load(self, reader: Reader, names: dict[str, Value]) -> Value:
        type = reader.type()
        reader.expect(",")
        pointer = self.typed(reader, names).lanes[0]
        align = metadata(reader)
        return Value(type, self.load(pointer, type, align, reader.text))

    def do_store(self, reader: Reader, names: dict[str, Value]) -> None:
        value = self.typed(reader, names)
        reader.expect(",")
        pointer = self.typed(reader, names).lanes[0]
        self.store(pointer, value, metadata(reader), reader.text)

    def called(self, reader: Reader, names: dict[str, Value]) -> Value | None:
        ranges = skip_attributes(reader)
        type = None if reader.take("void") else reader.type()
        name = reader.next()[1:]
        if name in ("llvm.lifetime.start.p0", "llvm.lifetime.end.p0", "llvm.experimental.noalias.scope.decl"):
            return None
        reader.expect("(")
        arguments = []
        while not reader.take(")"):
            arguments.append(self.typed(reader, names))
            reader.take(",")
        metadata(reader)
        internal = self.module.resolve(name)
        if internal is not None:
            return self.call(internal, arguments)
        value = self.intrinsic(name, type, arguments, reader.text)
        for _, low, high in ranges:
            for lane in value.lanes:
                self.condition(z3.And(z3.UGE(lane, low), z3.ULT(lane, high)), reader.text)
        return value

    def intrinsic(self, name: str, type: Type | None, arguments: list[Value], line: str) -> Value | None:
        if name == "llvm.memset.p0.i64":
            to, byte, length, _ = (argument.lanes[0] for argument in arguments)
            count = constant(length)
            self.store(to, Value(Type(8, count), [byte] * count), 1, line)
            return None
        if name == "llvm.memcpy.p0.p0.i64":
            to, source, length, _ = (argument.lanes[0] for argument in arguments)
            count = constant(length)
            self.store(to, Value(Type(8, count), self.load(source, Type(8, count), 1, line)), 1, line)
            return None
        if name.startswith("llvm.masked.load."):
            pointer, mask, defaults = arguments[0].lanes[0], arguments[-2].lanes, arguments[-1].lanes
            step, lanes = type.element // 8, []
            for i, (on, default) in enumerate(zip(mask, defaults)):
                at = Pointer(pointer.object, folded(pointer.offset + i * step))
                lanes += self.load(at, Type(type.element), 1, line) if constant(on) else [default]
            return Value(type, lanes)
        if name.startswith("llvm.masked.store."):
            value, pointer, mask = arguments[0], arguments[1].lanes[0], arguments[-1].lanes
            step = value.type.element // 8
            for i, (on, lane) in enumerate(zip(mask, value.lanes)):
                if constant(on):
                    at = Pointer(pointer.object, folded(pointer.offset + i * step))
                    self.store(at, Value(Type(value.type.element), [lane]), 1, line)
            return None
        meaning = self.intrinsics.get(re.sub(r"\.(v\d+)?[ifp]\d+$", "", name) if not name.startswith("llvm.x86") else name)
        if meaning is None:
            raise Unknown(f"the intrinsic {name}: {line}")
        rows = [argument.lanes for argument in arguments]
        lanes = meaning(*rows)
        if len(lanes) != type.lanes or any(lane is not None and lane.size() != type.element for lane in lanes):
            raise Unknown(f"the function for {name} returns lanes of another number or width than the instruction: {line}")
        return Value(type, lanes)


def recast(lanes: list[Lane], from_bits: int, to_bits: int) -> list[Lane]:
    """Converts lanes with `from_bits` bits to lanes with `to_bits` bits, the lowest bits first."""
    if from_bits == to_bits:
        return list(lanes)
    found: list[Lane] = []
    if from_bits > to_bits:
        for lane in lanes:
            for i in range(from_bits // to_bits):
                part = None if lane is None else folded(z3.Extract((i + 1) * to_bits - 1, i * to_bits, lane))
                found.append(part)
        return found
    group = to_bits // from_bits
    for i in range(0, len(lanes), group):
        parts = lanes[i : i + group]
        known = all(part is not None for part in parts)
        found.append(folded(z3.Concat(*reversed(parts))) if known else None)
    return found
