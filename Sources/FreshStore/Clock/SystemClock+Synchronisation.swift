internal import Platform

extension SystemClock {
  /// Whether the kernel considers the wall clock synchronised, as NTP does it; `nil` where it does
  /// not tell.
  package static var isSynchronised: Bool? {
    #if os(Linux)
      // The headers that Swift sees leave adjtimex(2) out.
      guard let symbol = unsafe dlsym(nil, "adjtimex") else { return nil }
      let ask = unsafe unsafeBitCast(
        symbol, to: (@convention(c) (UnsafeMutableRawPointer) -> CInt).self)
      // With zero modes the call only queries; the structure has 208 bytes.
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
