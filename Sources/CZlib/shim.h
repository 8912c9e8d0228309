#ifndef FRESHSTORE_CZLIB_SHIM_H
#define FRESHSTORE_CZLIB_SHIM_H

#include <zlib.h>

/* inflateInit2 is a macro, which Swift cannot call. */
static inline int freshstore_inflate_init(z_stream *stream, int window_bits) {
  return inflateInit2(stream, window_bits);
}

#endif
