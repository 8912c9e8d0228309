#if Fleet
  internal import FreshStore

  /// How much one round trip carries: as much as passes within the limit also over a slow network.
  enum PartLimit {
    /// Of values, either way: some 20 ms at 100 Mbit a second.
    static let bytes = 256 * 1024
    /// Claimed, extended or released: some 60 µs each.
    static let keys = 256
    /// Each is a statement of its own.
    static let landings = 64
  }

  extension Array {
    /// The number of the first elements that go together; at least one of any.
    func partLength(
      atMost count: Int, bytes: Int = .max, size: (Element) -> Int = { _ in 0 }
    ) -> Int {
      var (length, sum) = (0, 0)
      for element in prefix(count) {
        let next = sum.addingReportingOverflow(size(element))
        guard length == 0 || (!next.overflow && next.partialValue <= bytes) else { break }
        (length, sum) = (length + 1, next.overflow ? .max : next.partialValue)
      }
      return length
    }

    /// The elements in parts, in their order.
    func parts(
      atMost count: Int, bytes: Int = .max, size: (Element) -> Int = { _ in 0 }
    ) -> [[Element]] {
      var (parts, left): ([[Element]], [Element]) = ([], self)
      while !left.isEmpty {
        let length = left.partLength(atMost: count, bytes: bytes, size: size)
        parts.append(Array(left.prefix(length)))
        left.removeFirst(length)
      }
      return parts
    }
  }
#endif
