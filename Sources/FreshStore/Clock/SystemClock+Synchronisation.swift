internal import Platform

extension SystemClock {
  /// Whether the kernel takes the wall clock to be kept right by others, as NTP does; `nil` where it
  /// does not say.
  package static var isSynchronised: Bool? {
    #if os(Linux)
      // The headers that Swift sees leave adjtimex(2) out.
      guard let symbol = unsafe dlsym(nil, "adjtimex") else { return nil }
      let ask = unsafe unsafeBitCast(
        symbol, to: (@convention(c) (UnsafeMutableRawPointer) -> CInt).self)
      // Zeros ask and set nothing; the structure has 208 bytes.
      var buffer = [UInt64](repeating: 0, count: 64)
      let state = unsafe buffer.withUnsafeMutableBytes { bytes -> CInt in
        guard let start = bytes.baseAddress else { return -1 }
        return unsafe ask(start)
      }
      let unsynchronised: CInt = 5
      return state < 0 ? nil : state != unsynchronised
    #else
      return nil
    #endif
  }
}
