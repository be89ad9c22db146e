// Many arrays in one launch: their addresses are parameters, and blocks take shares of so many items of them in turn.
#define MANY 64
#define SHARE 4096
#define PACKED 4  // items that a thread reads at once where all arrays are aligned to it

template <int K>
struct Lists {
  In* of[K][MANY];
};
struct Shares {
  i64 count;          // of the shares of all arrays
  i64 sizes[MANY];    // items of each array
  u32 ends[MANY];     // how many shares it and those before it have
};

struct Share {
  int array;
  i64 begin, end;
};
LAMINA Share share_of(const Shares& shares, i64 number) {
  int low = 0, high = MANY - 1;
  while (low < high) {
    int middle = (low + high) / 2;
    if ((i64)shares.ends[middle] <= number) low = middle + 1;
    else high = middle;
  }
  Share share;
  share.array = low;
  share.begin = (number - (low ? (i64)shares.ends[low - 1] : 0)) * SHARE;
  share.end = share.begin + SHARE < shares.sizes[low] ? share.begin + SHARE : shares.sizes[low];
  return share;
}
