// Whole numbers in the order of the items: NaN greatest and all NaN equal, zeros of both signs equal or apart.
#pragma once

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "dtypes/number.hpp"

namespace lamina {

template <int kBytes>
using WordOf = std::conditional_t<kBytes == 1, uint8_t,
                                  std::conditional_t<kBytes == 2, uint16_t, std::conditional_t<kBytes == 4, uint32_t, uint64_t>>>;

// T is an integer, float, double, Half or BFloat16. `kZeros`: whether -0.0 is its own number, before 0.0.
template <class T, bool kZeros = false>
inline WordOf<int(sizeof(T))> key_of(T item) {
    using Word = WordOf<int(sizeof(T))>;
    constexpr Word kSign = Word(Word(1) << (8 * sizeof(T) - 1));
    Word bits;
    std::memcpy(&bits, &item, sizeof bits);
    if constexpr (std::is_integral_v<T>) {
        return std::is_signed_v<T> ? Word(bits ^ kSign) : bits;
    } else {
        constexpr Word kInfinity = sizeof(T) == 8   ? Word(0x7ff0000000000000ull)
                                   : sizeof(T) == 4 ? Word(0x7f800000u)
                                                    : Word(std::is_same_v<T, Half> ? 0x7c00 : 0x7f80);
        const Word size = Word(bits & Word(~kSign));
        if (size > kInfinity) return Word(~Word(0));
        if (!kZeros && size == 0) return kSign;
        return Word(bits & kSign ? Word(~bits) : Word(bits | kSign));
    }
}

// The item of a key; of a NaN some NaN.
template <class T>
inline T item_of(WordOf<int(sizeof(T))> key) {
    using Word = WordOf<int(sizeof(T))>;
    constexpr Word kSign = Word(Word(1) << (8 * sizeof(T) - 1));
    Word bits;
    if constexpr (std::is_integral_v<T>)
        bits = std::is_signed_v<T> ? Word(key ^ kSign) : key;
    else if (key == Word(~Word(0)))
        bits = Word(~kSign);
    else
        bits = Word(key & kSign ? key & Word(~kSign) : ~key);
    T item;
    std::memcpy(&item, &bits, sizeof item);
    return item;
}

// A key and where it came from: of equal keys, the one that came first is the smaller.
struct KeyAndIndex {
    uint64_t key, index;
    bool operator<(const KeyAndIndex& other) const { return key < other.key || (key == other.key && index < other.index); }
};

inline uint64_t digits_of(uint64_t item) { return item; }
inline uint64_t digits_of(uint32_t item) { return item; }
inline uint64_t digits_of(uint16_t item) { return item; }
inline uint64_t digits_of(uint8_t item) { return item; }
inline uint64_t digits_of(const KeyAndIndex& item) { return item.key; }

// Sorts n items by the digits of 8 bits from `low` to `high` - 1 of their keys; stable. `spare` is room for as many.
// Long rows digit by digit, from the lowest on; a digit that all items share is passed over.
template <class E>
void sort_items(E* items, E* spare, int64_t n, int low, int high) {
    if (n <= 24) {
        for (int64_t i = 1; i < n; ++i) {
            const E item = items[i];
            int64_t j = i;
            for (; j > 0 && item < items[j - 1]; --j) items[j] = items[j - 1];
            items[j] = item;
        }
        return;
    }
    if (n < 64 * (high - low)) return std::sort(items, items + n);
    int64_t counts[8][256] = {};
    for (int64_t i = 0; i < n; ++i) {
        const uint64_t key = digits_of(items[i]);
        for (int d = low; d < high; ++d) ++counts[d][key >> (8 * d) & 255];
    }
    E *from = items, *to = spare;
    for (int d = low; d < high; ++d) {
        int64_t* count = counts[d];
        if (count[digits_of(from[0]) >> (8 * d) & 255] == n) continue;
        int64_t start = 0;
        for (int b = 0; b < 256; ++b) {
            const int64_t some = count[b];
            count[b] = start;
            start += some;
        }
        for (int64_t i = 0; i < n; ++i) to[count[digits_of(from[i]) >> (8 * d) & 255]++] = from[i];
        std::swap(from, to);
    }
    if (from != items) std::memcpy(static_cast<void*>(items), from, size_t(n) * sizeof(E));
}

// Short keys share a word with their indices, so that one comparison, or one move, does for both.
template <class T>
constexpr bool kPacks = sizeof(T) <= 4;
template <class T>
using Entry = std::conditional_t<kPacks<T>, uint64_t, KeyAndIndex>;

template <class T>
inline Entry<T> entry(T item, int64_t index, bool descending) {
    auto key = key_of(item);
    if (descending) key = decltype(key)(~key);
    if constexpr (kPacks<T>)
        return uint64_t(key) << 32 | uint64_t(index);
    else
        return KeyAndIndex{key, uint64_t(index)};
}

template <class T>
inline int64_t index_of(const Entry<T>& entry) {
    if constexpr (kPacks<T>)
        return int64_t(entry & 0xffffffffu);
    else
        return int64_t(entry.index);
}

template <class T>
inline uint64_t key_in(const Entry<T>& entry) {
    if constexpr (kPacks<T>)
        return entry >> 32;
    else
        return entry.key;
}

// The entry of a rank among n that come in the order of their indices. Of many, those that share the key's highest digits with it are
// kept, digit by digit, and equal ones stay in their order.
template <class T>
Entry<T> entry_of_rank(Entry<T>* entries, int64_t n, int64_t rank) {
    constexpr int64_t kFew = 200;
    constexpr int kDigit = 11;
    for (int shift = 8 * int(sizeof(T)); shift > 0 && n > kFew;) {
        const int bits = std::min(kDigit, shift);
        shift -= bits;
        const uint64_t mask = (uint64_t(1) << bits) - 1;
        int64_t counts[1 << kDigit] = {}, digit = 0, kept = 0;
        for (int64_t i = 0; i < n; ++i) ++counts[key_in<T>(entries[i]) >> shift & mask];
        for (; rank >= counts[digit]; ++digit) rank -= counts[digit];
        if (counts[digit] == n) continue;
        for (int64_t i = 0; i < n; ++i) {
            entries[kept] = entries[i];
            kept += (key_in<T>(entries[i]) >> shift & mask) == uint64_t(digit);
        }
        n = kept;
    }
    std::nth_element(entries, entries + rank, entries + n);
    return entries[rank];
}

// Puts entries in order; `spare` is room for as many.
template <class T>
void sort_entries(Entry<T>* entries, Entry<T>* spare, int64_t n) {
    constexpr int kLow = kPacks<T> ? 4 : 0;
    sort_items<Entry<T>>(entries, spare, n, kLow, kLow + int(sizeof(T)));
}

}  // namespace lamina
