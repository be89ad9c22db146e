// Eigenvalues and singular values of small real matrices: by Jacobi's rotations, many matrices at once.
#include "kernels/spectra/jacobi.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "kernels/spectra/spectra.hpp"

namespace lamina {
namespace {

const JacobiLoops* loops;
const Registration registration([](const Loops& best) { loops = best.jacobi; });

constexpr int64_t kMost = 32;  // rows or columns

// Of so many matrices side by side: what divides their items, and which of their rows comes first.
template <class T>
struct Lanes {
    int64_t lanes;
    T *items, *vectors;

    T& at(T* of, int64_t i, int64_t n, int64_t j, int64_t lane) const { return of[(i * n + j) * lanes + lane]; }

    // A power of two so that items times it are at most 1; 0 where they are not finite.
    static T unit_of(T most) {
        if (!(most <= std::numeric_limits<T>::max())) return 0;
        if (most == 0) return 1;
        int exponent;
        std::frexp(most, &exponent);
        constexpr int kLeast = 1 - std::numeric_limits<T>::max_exponent;
        return std::ldexp(T(1), -std::max(exponent, kLeast));
    }

    // rows x columns of one matrix, scaled; gives the scale. `read(i, j)` is an item.
    template <class F>
    T load(int64_t rows, int64_t columns, int64_t lane, const F& read) const {
        T most = 0;
        bool finite = true;
        for (int64_t i = 0; i < rows; ++i)
            for (int64_t j = 0; j < columns; ++j) {
                const T size = std::fabs(read(i, j));
                finite = finite && size <= std::numeric_limits<T>::max();
                most = std::max(most, size);
            }
        const T unit = finite ? unit_of(most) : 0;
        for (int64_t i = 0; unit != 0 && i < rows; ++i)
            for (int64_t j = 0; j < columns; ++j) at(items, i, columns, j, lane) = read(i, j) * unit;
        return unit;
    }
};

template <class T>
T& item_of(const Part& part, int64_t i, int64_t j) {
    return *reinterpret_cast<T*>(part.at(i, j).data);
}

// Calls task(first, some, lanes) for groups of neighbouring matrices, until one is false: whether none was. `scratch`: items of a
// matrix, and of its vectors.
template <class T, class F>
bool in_groups(const Stack& stack, int64_t items, int64_t vectors, int64_t work, const F& task) {
    const int64_t lanes = loops->lanes[sizeof(T) == 8], groups = (stack.count + lanes - 1) / lanes;
    const int64_t slots = groups * work < 100000 ? 1 : std::min<int64_t>(num_threads(), groups);
    const int64_t own = aligned((items + vectors) * lanes * int64_t(sizeof(T)));
    const Scratch memory(slots * own);
    const WithoutGil free(groups * work >= kReleaseGil);
    std::atomic<bool> good{true};
    share(groups, slots, [&](int64_t group, int64_t slot) {
        T* start = reinterpret_cast<T*>(memory.data() + slot * own);
        const int64_t first = group * lanes, some = std::min(lanes, stack.count - first);
        if (some < lanes) std::fill(start, start + items * lanes, T(0));
        if (good.load(std::memory_order_relaxed) && !task(first, some, Lanes<T>{lanes, start, start + items * lanes})) good = false;
    });
    return good;
}

// The order in which `n` numbers ascend.
template <class F>
void sort(int64_t n, const F& number, int64_t* order) {
    for (int64_t i = 0; i < n; ++i) {
        int64_t at = i;
        for (; at > 0 && number(i) < number(order[at - 1]); --at) order[at] = order[at - 1];
        order[at] = i;
    }
}

}  // namespace

template <class T>
bool eigenvalues_by_rotations(const Stack& stack, const View& x, const View& values, const View* vectors, bool upper) {
    const int64_t n = stack.rows(), size = n * n;
    return in_groups<T>(stack, size, vectors != nullptr ? size : 0, 50 * size * n, [&](int64_t first, int64_t some, const Lanes<T>& of) {
        T units[64];
        for (int64_t l = 0; l < some; ++l) {
            const Part part = stack.part(x, first + l), from = upper ? part.turned() : part;
            units[l] = of.load(n, n, l, [&](int64_t i, int64_t j) { return item_of<T>(from, std::max(i, j), std::min(i, j)); });
            if (units[l] == 0) return false;
        }
        char* const rows = vectors != nullptr ? reinterpret_cast<char*>(of.vectors) : nullptr;
        if (!loops->diagonalize[sizeof(T) == 8](reinterpret_cast<char*>(of.items), n, rows)) return false;
        for (int64_t l = 0; l < some; ++l) {
            int64_t order[kMost];
            sort(n, [&](int64_t i) { return of.at(of.items, i, n, i, l); }, order);
            const Part to = vector_of(stack, values, first + l);
            for (int64_t j = 0; j < n; ++j) item_of<T>(to, 0, j) = of.at(of.items, order[j], n, order[j], l) / units[l];
            if (vectors == nullptr) continue;
            const Part columns = stack.part(*vectors, first + l);
            for (int64_t i = 0; i < n; ++i)
                for (int64_t j = 0; j < n; ++j) item_of<T>(columns, i, j) = of.at(of.vectors, order[j], n, i, l);
        }
        return true;
    });
}

// Of the m x n matrices, or of those turned, whichever have no more columns than rows.
template <class T>
bool singular_values_by_rotations(const Stack& stack, const View& x, const View* u, const View& values, const View* vh) {
    const bool wide = stack.rows() < stack.columns();
    const int64_t m = std::max(stack.rows(), stack.columns()), n = std::min(stack.rows(), stack.columns());
    constexpr T kNothing = sizeof(T) == 4 ? T(1e-15) : T(1e-140);  // what is shorter has no direction
    return in_groups<T>(stack, n * m, u != nullptr ? n * n : 0, 50 * n * n * m, [&](int64_t first, int64_t some, const Lanes<T>& of) {
        T units[64];
        for (int64_t l = 0; l < some; ++l) {
            const Part part = stack.part(x, first + l), rows = wide ? part : part.turned();
            units[l] = of.load(n, m, l, [&](int64_t i, int64_t j) { return item_of<T>(rows, i, j); });
            if (units[l] == 0) return false;
        }
        char* const turns = u != nullptr ? reinterpret_cast<char*>(of.vectors) : nullptr;
        if (!loops->orthogonalize[sizeof(T) == 8](reinterpret_cast<char*>(of.items), n, m, turns)) return false;
        for (int64_t l = 0; l < some; ++l) {
            T lengths[kMost];
            int64_t order[kMost];
            for (int64_t j = 0; j < n; ++j) {
                double sum = 0;
                for (int64_t i = 0; i < m; ++i) sum += double(of.at(of.items, j, m, i, l)) * double(of.at(of.items, j, m, i, l));
                lengths[j] = T(std::sqrt(sum));
                if (u != nullptr && lengths[j] < kNothing) return false;
            }
            sort(n, [&](int64_t i) { return -lengths[i]; }, order);
            const Part to = vector_of(stack, values, first + l);
            for (int64_t j = 0; j < n; ++j) item_of<T>(to, 0, j) = lengths[order[j]] / units[l];
            if (u == nullptr) continue;
            // Rows of the long ones, and of the others.
            const Part left = stack.part(*u, first + l), right = stack.part(*vh, first + l);
            const Part longer = wide ? right : left.turned(), shorter = wide ? left.turned() : right;
            for (int64_t j = 0; j < n; ++j) {
                for (int64_t i = 0; i < m; ++i) item_of<T>(longer, j, i) = of.at(of.items, order[j], m, i, l) / lengths[order[j]];
                for (int64_t i = 0; i < n; ++i) item_of<T>(shorter, j, i) = of.at(of.vectors, order[j], n, i, l);
            }
        }
        return true;
    });
}

template bool eigenvalues_by_rotations<float>(const Stack&, const View&, const View&, const View*, bool);
template bool eigenvalues_by_rotations<double>(const Stack&, const View&, const View&, const View*, bool);
template bool singular_values_by_rotations<float>(const Stack&, const View&, const View*, const View&, const View*);
template bool singular_values_by_rotations<double>(const Stack&, const View&, const View*, const View&, const View*);

}  // namespace lamina
