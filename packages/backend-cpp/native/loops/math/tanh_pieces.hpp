// The hyperbolic tangent as polynomials of degree 5 on short pieces, computed when this is compiled: no division, and no exponential.
//
// The pieces: four to each power of two from 1/8 to 8, one below, and one from 8 to 10, where the result has come to 1.
#pragma once

#include <cstdint>

namespace lamina::LAMINA_ISA {

struct TanhPieces {
    static constexpr int kDegree = 5, kPieces = 32, kLast = 25;
    static constexpr float kEnd = 9.999999f;  // a little below 10: the last number of the last piece
    static constexpr int32_t kBelowFirst = 495;  // the exponent, and two bits more, of what comes before 1/8
    float centre[kPieces];
    float term[kDegree + 1][kPieces];  // of which power of the distance from the centre
};

// By Lambert's continued fraction x / (1 + x**2 / (3 + x**2 / (5 + ...))).
constexpr double tanh_of(double x) {
    double below = 121;
    for (int odd = 119; odd > 0; odd -= 2) below = odd + x * x / below;
    return x / below;
}

// The coefficients of the polynomial through n points: Newton's, multiplied out.
constexpr void through_points(const double* at, const double* values, int n, double* terms) {
    double differences[8] = {};
    for (int i = 0; i < n; ++i) differences[i] = values[i];
    for (int order = 1; order < n; ++order)
        for (int i = n - 1; i >= order; --i) differences[i] = (differences[i] - differences[i - 1]) / (at[i] - at[i - order]);
    for (int i = 0; i < n; ++i) terms[i] = 0;
    for (int i = n - 1; i >= 0; --i) {  // terms = terms * (x - at[i]) + differences[i]
        for (int k = n - 1; k > 0; --k) terms[k] = terms[k - 1] - at[i] * terms[k];
        terms[0] = differences[i] - at[i] * terms[0];
    }
}

constexpr TanhPieces tanh_pieces() {
    constexpr double kSix[] = {-0.9659258262890683, -0.7071067811865476, -0.2588190451025208,  // Chebyshev's nodes: the cosines of
                               0.2588190451025208,  0.7071067811865476,  0.9659258262890683};  // odd multiples of pi / 12,
    constexpr double kFour[] = {-0.9238795325112867, -0.3826834323650898, 0.3826834323650898, 0.9238795325112867};  // and of pi / 8
    TanhPieces made = {};
    double at[6] = {}, values[6] = {}, terms[6] = {};
    for (int i = 0; i < 4; ++i) {  // near 0 it is x + x**2 g(x), which is right for the smallest x too
        at[i] = (1 + kFour[i]) / 16;
        values[i] = (tanh_of(at[i]) / at[i] - 1) / at[i];
    }
    through_points(at, values, 4, terms);
    made.term[1][0] = 1;
    for (int k = 0; k < 4; ++k) made.term[k + 2][0] = float(terms[k]);
    double power = 0.125;
    for (int piece = 1; piece <= TanhPieces::kLast; ++piece) {
        const double width = power / 4, middle = power + ((piece - 1) % 4 + 0.5) * width;
        const double centre = piece < TanhPieces::kLast ? middle : 10;  // what is added to there is 1, which no rounding moves
        for (int i = 0; i < 6; ++i) {
            at[i] = middle - centre + kSix[i] * width / 2;
            values[i] = tanh_of(centre + at[i]);
        }
        through_points(at, values, 6, terms);
        made.centre[piece] = float(centre);
        for (int k = 0; k < 6; ++k) made.term[k][piece] = float(terms[k]);
        if (piece % 4 == 0) power *= 2;
    }
    return made;
}

}  // namespace lamina::LAMINA_ISA
