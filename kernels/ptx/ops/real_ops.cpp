// Floating-point numbers: PTX ISA, 'Floating Point Instructions' and 'Half Precision Floating Point Instructions'.
#include <cfenv>
#include <cmath>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "kernels/ptx/ops/real_functions.h"
#include "kernels/ptx/run/decode.h"
#include "kernels/ptx/run/lane_loops.h"

namespace convscope::ptx {
namespace {

template <class F>
Run real_binary(Type type) {
    switch (type) {
        case Type::f32:
            return binary<F, float>;
        case Type::f64:
            return binary<F, double>;
        case Type::f16:
            return binary<Half<F16, F>, std::uint16_t>;
        case Type::bf16:
            return binary<Half<Bf16, F>, std::uint16_t>;
        case Type::f16x2:
            return binary<Pair<Half<F16, F>>, std::uint32_t>;
        case Type::bf16x2:
            return binary<Pair<Half<Bf16, F>>, std::uint32_t>;
        default:
            return nullptr;
    }
}
template <class F>
Run real_unary(Type type) {
    switch (type) {
        case Type::f32:
            return unary<F, float>;
        case Type::f64:
            return unary<F, double>;
        default:
            return nullptr;
    }
}
/// For functions that only f32 and half precision have.
template <class F>
Run float_unary(Type type) {
    switch (type) {
        case Type::f32:
            return unary<F, float>;
        case Type::f16:
            return unary<Half<F16, F>, std::uint16_t>;
        case Type::bf16:
            return unary<Half<Bf16, F>, std::uint16_t>;
        case Type::f16x2:
            return unary<Pair<Half<F16, F>>, std::uint32_t>;
        case Type::bf16x2:
            return unary<Pair<Half<Bf16, F>>, std::uint32_t>;
        default:
            return nullptr;
    }
}
template <class F, std::uint32_t Keep, std::uint32_t Flip>
Run sign_unary(Type type) {
    switch (type) {
        case Type::f32:
            return unary<F, float>;
        case Type::f64:
            return unary<F, double>;
        case Type::f16:
        case Type::bf16:
            return unary<SignBits<Keep, Flip>, std::uint16_t>;
        case Type::f16x2:
        case Type::bf16x2:
            return unary<Pair<SignBits<Keep, Flip>>, std::uint32_t>;
        default:
            return nullptr;
    }
}
Run real_fma(Type type) {
    switch (type) {
        case Type::f32:
            return ternary<RealFma, float>;
        case Type::f64:
            return ternary<RealFma, double>;
        case Type::f16:
            return ternary<Half<F16, RealFma>, std::uint16_t>;
        case Type::bf16:
            return ternary<Half<Bf16, RealFma>, std::uint16_t>;
        case Type::f16x2:
            return ternary<Pair<Half<F16, RealFma>>, std::uint32_t>;
        case Type::bf16x2:
            return ternary<Pair<Half<Bf16, RealFma>>, std::uint32_t>;
        default:
            return nullptr;
    }
}

/// Runs 'inner' with the CPU in another mode of floating-point arithmetic.
void in_mode(Warp& warp, const Op& op) {
#if defined(__x86_64__)
    constexpr unsigned rounding_bits = 0x6000, flush_bits = 0x8040;  // flush to zero, denormals are zero
    constexpr unsigned rounding[] = {0, 0x6000, 0x2000, 0x4000};
    const unsigned before = _mm_getcsr();
    _mm_setcsr((before & ~(rounding_bits | flush_bits)) | rounding[op.variant & 3] | (op.variant & 4 ? flush_bits : 0));
    op.inner(warp, op);
    _mm_setcsr(before);
#else
    constexpr int rounding[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    std::fesetround(rounding[op.variant & 3]);
    op.inner(warp, op);
    std::fesetround(FE_TONEAREST);
#endif
}

/// Emits the instruction and its .sat or .relu.
void emit_limited(Decoder& decoder, Op op, Type type, bool sat, bool relu) {
    if (!sat && !relu) return decoder.emit(op);
    decoder.emit(op);
    Op limit;
    limit.a = limit.d = op.d;
    limit.kind = Kind::real;
    limit.run = sat && type == Type::f64 ? real_unary<Saturate>(type)
                : sat                    ? float_unary<Saturate>(type)
                                         : float_unary<Relu>(type);
    if (!limit.run) decoder.fail("this type cannot be limited");
    decoder.emit(limit);
}

/// The modifiers that all of them may have.
struct Modifiers {
    int rounding;
    bool flush, sat, relu;
    Type type;
};
Modifiers take_modifiers(InstructionDecoder& instr) {
    Modifiers m{};
    m.rounding = instr.take_one({"rn", "rz", "rm", "rp"});
    m.flush = instr.take("ftz");
    m.sat = instr.take("sat");
    m.relu = instr.take("relu");
    m.type = instr.take_type();
    return m;
}
bool is_half(Type type) {
    return is_real(type) && type != Type::f32 && type != Type::f64 && type != Type::tf32;
}

/// Op.run is set.
bool finish(Decoder& decoder, Op& op, const Modifiers& m) {
    if (!op.run || (is_half(m.type) && m.rounding > 0)) return false;
    if (!is_half(m.type)) set_float_mode(op, m.rounding, m.flush);
    if (op.kind == Kind::integer) op.kind = Kind::real;
    emit_limited(decoder, op, m.type, m.sat, m.relu);
    op.run = nullptr;  // has been emitted
    return true;
}

template <Run (*Choose)(Type)>
bool decode_two(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    const Modifiers m = take_modifiers(instr);
    op.run = Choose(m.type);
    if (op.run) decoder.take_operands(instr, op, m.type, {m.type, m.type});
    return finish(decoder, op, m);
}
template <Run (*Choose)(Type)>
bool decode_one(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    instr.ignore({"approx"});
    const Modifiers m = take_modifiers(instr);
    op.run = Choose(m.type);
    if (op.run) decoder.take_operands(instr, op, m.type, {m.type});
    return finish(decoder, op, m);
}

/// .f32 and .f64; which of the numbers is finite, infinite, ...
enum class Test : std::uint8_t { finite, infinite, number, notanumber, normal, subnormal };
template <class T>
void test_property(Warp& warp, const Op& op) {
    const T* a = warp.values<T>(op.a);
    warp.set_predicate(op.d, lanes_where([=](unsigned i) {
                           switch (static_cast<Test>(op.variant)) {
                               case Test::finite:
                                   return static_cast<bool>(std::isfinite(a[i]));
                               case Test::infinite:
                                   return static_cast<bool>(std::isinf(a[i]));
                               case Test::number:
                                   return !std::isnan(a[i]);
                               case Test::notanumber:
                                   return static_cast<bool>(std::isnan(a[i]));
                               case Test::normal:
                                   return static_cast<bool>(std::isnormal(a[i]));
                               case Test::subnormal:
                                   return std::fpclassify(a[i]) == FP_SUBNORMAL;
                           }
                           return false;
                       }));
}
bool decode_testp(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    const int test = instr.take_one({"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
    const Type type = instr.take_type();
    if (test < 0 || (type != Type::f32 && type != Type::f64)) return false;
    op.variant = static_cast<std::uint8_t>(test);
    op.run = type == Type::f32 ? test_property<float> : test_property<double>;
    decoder.take_operands(instr, op, Type::pred, {type});
    return true;
}

constexpr OpcodeRow rows_of_reals[] = {
    {"fma", decode_real_fma},
    {"rcp", decode_one<real_unary<Reciprocal>>},
    {"sqrt", decode_one<real_unary<SquareRoot>>},
    {"rsqrt", decode_one<real_unary<ReciprocalRoot>>},
    {"sin", decode_one<float_unary<Sine>>},
    {"cos", decode_one<float_unary<Cosine>>},
    {"lg2", decode_one<float_unary<Log2>>},
    {"ex2", decode_one<float_unary<Exp2>>},
    {"tanh", decode_one<float_unary<Tanh>>},
    {"copysign", decode_two<real_binary<CopySign>>},
    {"testp", decode_testp},
};

}  // namespace

std::span<const OpcodeRow> real_opcodes() {
    return rows_of_reals;
}

void set_float_mode(Op& op, int rounding, bool flush) {
    if (rounding <= 0 && !flush) return;
    op.inner = op.run;
    op.run = in_mode;
    op.variant = static_cast<std::uint8_t>((rounding > 0 ? rounding : 0) | (flush ? 4 : 0));
}

bool decode_real_add(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    return decode_two<real_binary<RealAdd>>(decoder, instr, op);
}
bool decode_real_sub(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    return decode_two<real_binary<RealSub>>(decoder, instr, op);
}
bool decode_real_mul(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    op.zero_counts = instr.instruction.has("f32");
    return decode_two<real_binary<RealMul>>(decoder, instr, op);
}
bool decode_real_fma(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    const Modifiers m = take_modifiers(instr);
    op.run = real_fma(m.type);
    op.kind = Kind::multiply_add;
    op.zero_counts = m.type == Type::f32;
    if (op.run) decoder.take_operands(instr, op, m.type, {m.type, m.type, m.type});
    return finish(decoder, op, m);
}
bool decode_real_div(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    instr.ignore({"approx", "full"});
    return decode_two<real_binary<RealDiv>>(decoder, instr, op);
}
bool decode_real_min(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    return instr.take("NaN") ? decode_two<real_binary<OrNan<RealMin>>>(decoder, instr, op)
                             : decode_two<real_binary<RealMin>>(decoder, instr, op);
}
bool decode_real_max(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    return instr.take("NaN") ? decode_two<real_binary<OrNan<RealMax>>>(decoder, instr, op)
                             : decode_two<real_binary<RealMax>>(decoder, instr, op);
}
bool decode_real_abs(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    return decode_one<sign_unary<RealAbs, 0x7fff, 0>>(decoder, instr, op);
}
bool decode_real_neg(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    return decode_one<sign_unary<RealNeg, 0xffff, 0x8000>>(decoder, instr, op);
}

}  // namespace convscope::ptx
