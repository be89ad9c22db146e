// distinct: the items that differ from the one before them, as they come or in order.
#include <algorithm>
#include <memory>

#include "dtypes/real_types.hpp"
#include "kernels/indices/ordering.hpp"
#include "runtime/parameters.hpp"
#include "runtime/threads.hpp"

namespace lamina {
namespace {

// What is wanted of the results, and how each steps; those that are not wanted have no items.
struct Results {
    View values, firsts, numbers, counts, total;

    static void put(const View& v, int64_t i, int64_t number) {
        if (v.g.size > 0) reinterpret_cast<int64_t*>(v.data)[i * v.g.strides[0]] = number;
    }
};

// Of n items, the i-th of which is item(i) and stands at index(i).
template <class T, class Item, class Index>
void tell_apart(int64_t n, const Item& item, const Index& index, const Results& to) {
    T* values = reinterpret_cast<T*>(to.values.data);
    const int64_t step = n > 0 ? to.values.g.strides[0] : 0;
    int64_t found = 0, begin = 0;
    T before{};
    for (int64_t i = 0; i < n; ++i) {
        const T now = item(i);
        if (i == 0 || plain(now) != plain(before)) {
            if (i > 0) Results::put(to.counts, found - 1, i - begin);
            begin = i;
            values[found * step] = now;
            Results::put(to.firsts, found++, index(i));
        }
        before = now;
        Results::put(to.numbers, index(i), found - 1);
    }
    if (n > 0) Results::put(to.counts, found - 1, n - begin);
    *reinterpret_cast<int64_t*>(to.total.data) = found;
    for (; found < n; ++found) {
        values[found * step] = T{};
        Results::put(to.firsts, found, 0);
        Results::put(to.counts, found, 0);
    }
}

// The values alone, as they come: each goes behind those that were found, where the next one takes its place unless it is new.
template <class T>
void tell_values_apart(const T* items, int64_t step, int64_t n, const Results& to) {
    T* values = reinterpret_cast<T*>(to.values.data);
    int64_t found = n > 0;
    if (n > 0) values[0] = items[0];
    for (int64_t i = 1; i < n; ++i) {
        const T now = items[i * step];
        values[found] = now;
        found += plain(now) != plain(items[(i - 1) * step]);
    }
    *reinterpret_cast<int64_t*>(to.total.data) = found;
    std::fill(values + found, values + n, T{});
}

template <class T>
void run_all(const View& x, bool ordered, const Results& to) {
    const T* items = reinterpret_cast<const T*>(x.data);
    const int64_t n = x.g.size, step = n > 0 ? x.g.strides[0] : 0;
    const auto as_it_comes = [](int64_t i) { return i; };
    if (!ordered) {
        const WithoutGil free(n >= kReleaseGil);
        if (to.firsts.g.size + to.numbers.g.size + to.counts.g.size == 0 && to.values.g.contiguous)
            tell_values_apart<T>(items, step, n, to);
        else
            tell_apart<T>(n, [&](int64_t i) { return items[i * step]; }, as_it_comes, to);
    } else if (to.firsts.g.size == 0 && to.numbers.g.size == 0) {
        using Word = WordOf<int(sizeof(T))>;
        const std::unique_ptr<Word[]> keys(new Word[2 * size_t(n)]);
        const WithoutGil free(n >= kReleaseGil / 10);
        for (int64_t i = 0; i < n; ++i) keys[i] = key_of<T, true>(items[i * step]);
        sort_items<Word>(keys.get(), keys.get() + n, n, 0, int(sizeof(T)));
        tell_apart<T>(n, [&](int64_t i) { return item_of<T>(keys[i]); }, as_it_comes, to);
    } else {
        using E = Entry<T>;
        const std::unique_ptr<E[]> entries(new E[2 * size_t(n)]);
        const WithoutGil free(n >= kReleaseGil / 10);
        for (int64_t i = 0; i < n; ++i) entries[i] = entry<T>(items[i * step], i, false);
        sort_entries<T>(entries.get(), entries.get() + n, n);
        const auto index = [&](int64_t i) { return index_of<T>(entries[i]); };
        tell_apart<T>(n, [&](int64_t i) { return items[index(i) * step]; }, index, to);
    }
}

bool run_distinct(const Kernel&, const Call& call) {
    if (call.count != 2) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and x", call.op, call.count);
    call.require_keywords(1);
    const bool ordered = bool_of(call, "ordered");
    View x;
    x.read(call.positional[1], false, call.op);
    if (!is_real(x.code) || x.g.ndim != 1 || x.g.size >= int64_t(1) << 32) return false;
    Results to;
    View* const parts[] = {&to.values, &to.firsts, &to.numbers, &to.counts, &to.total};
    for (int i = 0; i < 5; ++i) {
        View& part = *parts[i];
        part.read(result_of(call, i, 5), true, call.op);
        const int64_t none = 0;
        const bool wanted = i == 0 || part.g.size > 0;
        require(part, "a result", i == 0 ? x.code : int(kInt64), wanted ? x.g.shape : &none, i == 4 ? 0 : 1, call.op);
        if (may_meet(part, x)) return false;
    }
    with_real_type(x.code, [&](auto item) { run_all<decltype(item)>(x, ordered, to); });
    return true;
}

const Registration registration([](const Loops&) {
    Kernel& kernel = kernel_named("distinct", run_distinct);
    for (int code = 0; code < kCodes; ++code)
        if (is_real(code)) kernel.rows[code] = kServed;
});

}  // namespace
}  // namespace lamina
