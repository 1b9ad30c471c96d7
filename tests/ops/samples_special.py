"""Samples of special functions, and of functions of the parts of a number, where PyTorch's own samples do not reach."""

import numpy as np

from tests.ops.harness import Sample
from tests.ops.samples_elementwise import INF, INSIDE, LINE, NAN, POSITIVE, at_kinks, method, one, two, words

UNIT = np.array([0.1, 0.35, 0.5, 0.9])


def special(name, x, **options):
    """`T.special.name(x)`."""
    return Sample(f"special.{name}", lambda T, x: getattr(T.special, name)(x), (np.asarray(x),), **options)


GAMMA = [
    *(s for n in words("lgamma digamma") for s in one(n, POSITIVE)),
    Sample("lgamma below 0", lambda T, x: T.lgamma(x), (np.array([-0.4, -1.3, -2.6]),)),
    Sample("digamma below 0", lambda T, x: T.digamma(x), (np.array([-0.4, -1.3, -2.6]),), second=False),
    Sample(
        "lgamma and digamma at poles",
        lambda T, x: (T.lgamma(x), T.digamma(x)),
        (np.array([0.0, -0.0, INF]),),
        grad=False,
    ),
    *(Sample(f"polygamma({n})", lambda T, x, n=n: T.polygamma(n, x), (POSITIVE,)) for n in (0, 1, 3)),
    method("polygamma", POSITIVE, 2),
    method("polygamma_", POSITIVE, 1),
    Sample("mvlgamma", lambda T, x: T.mvlgamma(x, 3), (POSITIVE + 1,)),
    Sample("mvlgamma 0-d", lambda T, x: T.mvlgamma(x, 2), (np.array(1.7),)),
    Sample(
        "special.zeta in its second argument", lambda T, y: T.special.zeta(T.tensor(2.5, dtype=y.dtype), y), (POSITIVE,)
    ),
    Sample("special.zeta at numbers", lambda T, y: T.special.zeta(3.0, y), (POSITIVE,)),
    Sample(
        "special.gammainc", lambda T, y: T.special.gammainc(T.tensor([0.4, 1.0, 5.0], dtype=y.dtype), y), (POSITIVE,)
    ),
    Sample(
        "special.gammaincc", lambda T, y: T.special.gammaincc(T.tensor([0.4, 1.0, 5.0], dtype=y.dtype), y), (POSITIVE,)
    ),
]

ERRORS_AND_NORMALS = [
    *(s for n in words("erfc erfinv") for s in one(n, INSIDE)),
    special("erfcx", np.array([-2.0, 0.0, 3.0, 40.0])),
    special("ndtr", np.array([-8.0, -0.4, 0.0, 2.5])),
    special("log_ndtr", np.array([-30.0, -0.4, 0.0, 2.5])),
    special("ndtri", UNIT),
    special("entr", POSITIVE),
    Sample("special.entr at 0 and below", lambda T, x: T.special.entr(x), (np.array([0.0, -1.0, NAN]),), grad=False),
]

LOGARITHMS = [
    *two("xlogy", LINE, POSITIVE.ravel()[:4]),
    at_kinks("xlogy at 0", lambda T, x, y: T.xlogy(x, y), np.array([0.0, 0.0, 1.0]), np.array([2.0, NAN, NAN])),
    Sample("xlogy with numbers", lambda T, x: T.xlogy(2.0, x) + T.xlogy(x, 0.5), (POSITIVE,)),
    Sample("special.xlog1py", lambda T, x, y: T.special.xlog1py(x, y), (LINE, INSIDE.ravel())),
    at_kinks(
        "special.xlog1py at 0", lambda T, x, y: T.special.xlog1py(x, y), np.array([0.0, 0.0]), np.array([-0.5, NAN])
    ),
    Sample("logit", lambda T, x: T.logit(x), (UNIT,)),
    at_kinks("logit with eps", lambda T, x: T.logit(x, 0.25), np.array([-1.0, 0.2, 0.25, 0.5, 0.75, 0.8])),
    *two("logaddexp2", LINE, LINE[::-1] + 0.05),
]

BESSEL = [
    *one("i0", LINE),
    *(special(n, LINE) for n in words("i0e i1 i1e")),
    *(
        at_kinks(f"special.{n} at 0", lambda T, x, n=n: getattr(T.special, n)(x), np.zeros(1))
        for n in words("i0e i1 i1e")
    ),
    *(
        special(n, [0.2, 0.7, 1.0, 1.5, 3.0], grad=False)
        for n in words("airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1")
    ),
    *(
        special(n, [0.2, 0.7, 1.0, 1.5, 3.0], grad=False)
        for n in words("modified_bessel_i0 modified_bessel_i1 modified_bessel_k0 modified_bessel_k1")
    ),
    *(
        special(n, [0.2, 0.7, 1.0, 1.5, 3.0], grad=False)
        for n in words("scaled_modified_bessel_k0 scaled_modified_bessel_k1 spherical_bessel_j0")
    ),
]

POLYNOMIALS = [
    Sample(
        f"special.{name}",
        lambda T, x, n, name=name: (getattr(T.special, name)(x, n), getattr(T.special, name)(x, 3)),
        (np.array([-1.0, -0.3, 0.5, 1.0, 1.7, 0.2, 0.2]), np.array([0.0, 1.0, 2.0, 3.0, 5.0, -1.0, 2.7])),
        grad=False,
    )
    for name in [
        *(f"{kind}chebyshev_polynomial_{n}" for kind in ("", "shifted_") for n in "tuvw"),
        *words("hermite_polynomial_h hermite_polynomial_he laguerre_polynomial_l legendre_polynomial_p"),
    ]
]

PARTS = [
    *two("copysign", LINE, LINE[::-1]),
    Sample(
        "copysign of and by zeros",
        lambda T, x, y: T.copysign(x, y),
        (np.array([0.0, 2.0, -2.0]), np.array([-1.0, -0.0, 0.0])),
        smooth=False,
        second=False,  # PyTorch's is NaN where it divides 0 by 0
    ),
    Sample("copysign by a number", lambda T, x: T.copysign(x, -1), (LINE,)),
    Sample("frexp", lambda T, x: T.frexp(x), (np.array([0.0, -0.3, 1e30, 5.0]),), smooth=False),
    Sample("ldexp", lambda T, x, n: T.ldexp(x, n), (LINE, np.array([0, 1, 2, 3]))),
    Sample("ldexp by floats", lambda T, x, y: T.ldexp(x, y), (LINE, LINE[::-1])),
    Sample("ldexp_", lambda T, x, n: (x * 1).ldexp_(n), (LINE, np.array([0, 1, 2, 3]))),
    at_kinks("nextafter", lambda T, x, y: T.nextafter(x, y), LINE, np.array([1.0, -0.4, NAN, INF])),
    Sample("signbit", lambda T, x: T.signbit(x), (np.array([-0.0, 0.0, -NAN, 2.0]),), grad=False),
    *(s for n in words("sinc deg2rad rad2deg angle positive") for s in one(n, LINE)),
    at_kinks("angle at 0 and NaN", lambda T, x: T.angle(x), np.array([0.0, -0.0, NAN, -1.0])),
    Sample("sinc at 0", lambda T, x: T.sinc(x), (np.array([0.0, 1e-9, 1.0]),), second=False, smooth=False),
    *(
        at_kinks(f"{n} at ties and NaN", lambda T, x, y, n=n: getattr(T, n)(x, y), *pair)
        for n in ("fmax", "fmin")
        for pair in [(np.array([1.0, NAN, 2.0, NAN]), np.array([1.0, 2.0, NAN, NAN]))]
    ),
    Sample(
        "heaviside",
        lambda T, x, v: T.heaviside(x.detach(), v.detach()),
        (np.array([-1.0, 0.0, 2.0, NAN]), np.full(4, 0.3)),
        grad=False,
    ),
    Sample("H, mH and adjoint", lambda T, x: (x.H * 2, x.mH * 3, T.adjoint(x)), (INSIDE,)),
    Sample("real and conjugates", lambda T, x: (T.real(x) * 2, x.conj() * 3, x.resolve_neg() * 4, (+x) * 5), (LINE,)),
    Sample(
        "isposinf and isneginf",
        lambda T, x: (T.isposinf(x), T.isneginf(x), T.isreal(x)),
        (np.array([INF, -INF, NAN, 1.0]),),
        grad=False,
    ),
    Sample("float_power", lambda T, x, y: T.float_power(x, y), (POSITIVE.astype(np.float32), POSITIVE), smooth=False),
    Sample("float_power of ints", lambda T, n: T.float_power(n, -1), (np.array([1, 2]),), grad=False),
]

BLENDS = [
    Sample("addcmul", lambda T, x, y, z: T.addcmul(x, y, z, value=0.5), (INSIDE, LINE[:2], np.array(0.7))),
    Sample("addcdiv", lambda T, x, y, z: T.addcdiv(x, y, z, value=-2), (INSIDE, LINE[:2], np.array(0.7))),
    Sample("addcmul_", lambda T, x, y: (x * 1).addcmul_(x, y), (LINE, LINE[::-1])),
    Sample("addcmul of ints", lambda T, n: T.addcmul(n, n, n, value=2), (np.array([1, 2]),), grad=False),
    Sample("rsub alpha", lambda T, x, y: T.rsub(x, y, alpha=3) + T.rsub(x, 2, alpha=0.5), (LINE, LINE[::-1])),
]

INTEGERS = [
    Sample(
        "gcd and lcm",
        lambda T, n, m: (T.gcd(n, m), T.lcm(n, m)),
        (np.array([12, 0, -4]), np.array([18, 0, 6])),
        grad=False,
    ),
    Sample(
        "shifts",
        lambda T, n, m: (n << m, n >> m, n << 1, n >> 1, 3 << m),
        (np.array([5, -5, 1, 7]), np.array([1, 2, 63, 0])),
        grad=False,
    ),
    Sample("shifts too far", lambda T, n, m: (n << m, n >> m), (np.array([5, -5]), np.array([70, -1])), grad=False),
    Sample(
        "special functions of ints",
        lambda T, n: (
            T.lgamma(n),
            T.erfc(n),
            T.i0(n),
            T.xlogy(n, n),
            T.sinc(n),
            T.deg2rad(n),
            T.copysign(n, -1),
        ),
        (np.array([1, 2, 5]),),
        grad=False,
    ),
]

FLOAT32 = [
    Sample(
        f"{n} float32",
        lambda T, x, n=n: getattr(T.special, n)(x),
        (np.array([0.15, 0.4, 0.7], np.float32),),
        smooth=False,
    )
    for n in words("digamma gammaln erfc erfinv erfcx ndtr ndtri log_ndtr entr i0 i0e i1 i1e logit sinc")
]

SAMPLES = [
    *(*GAMMA, *ERRORS_AND_NORMALS, *LOGARITHMS, *BESSEL, *POLYNOMIALS),
    *(*PARTS, *BLENDS, *INTEGERS, *FLOAT32),
]
