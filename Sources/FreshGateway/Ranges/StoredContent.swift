/// Which bytes of a representation are kept.
struct StoredContent: Sendable, Hashable {
  /// In order, none empty, none that touches another.
  private(set) var extents: [Range<Int64>]
  /// The length of the whole; `nil` where it is not known.
  let completeLength: Int64?

  /// All of it.
  static func whole(_ length: Int64) -> StoredContent {
    StoredContent(length > 0 ? [0..<length] : [], of: length)
  }

  /// Some of it.
  init(_ extents: [Range<Int64>], of completeLength: Int64?) {
    self.extents = Self.joined(extents)
    self.completeLength = completeLength
  }

  /// The number of bytes that are kept.
  var keptLength: Int64 { extents.reduce(0) { $0 + Int64($1.count) } }

  var isWhole: Bool {
    guard let completeLength else { return false }
    return completeLength == 0 || extents == [0..<completeLength]
  }

  func contains(_ range: Range<Int64>) -> Bool {
    extents.contains { $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound }
  }

  /// With the bytes of another part of the same representation; `nil` when they differ in its length.
  func combined(with other: StoredContent) -> StoredContent? {
    if let completeLength, let length = other.completeLength, completeLength != length {
      return nil
    }
    let length = completeLength ?? other.completeLength
    let extents = Self.joined(extents + other.extents)
    if let length, let end = extents.last?.upperBound, end > length { return nil }
    return StoredContent(extents, of: length)
  }

  private static func joined(_ extents: [Range<Int64>]) -> [Range<Int64>] {
    var joined: [Range<Int64>] = []
    for extent in extents.sorted(by: { $0.lowerBound < $1.lowerBound }) where !extent.isEmpty {
      if let last = joined.last, extent.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, extent.upperBound)
      } else {
        joined.append(extent)
      }
    }
    return joined
  }
}
