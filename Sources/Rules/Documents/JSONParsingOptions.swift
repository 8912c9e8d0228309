/// The limits of a JSON text, and the treatment of its oddities.
public struct JSONParsingOptions: Sendable, Hashable {
  /// The treatment of a duplicate name in an object.
  public enum DuplicateNames: String, Sendable, Hashable, CaseIterable {
    /// It is an error: readers differ about which value counts, and that lets values slip past a
    /// check (RFC 8259, section 4).
    case refuse
    /// The first value counts.
    case keepFirst
    /// The last value counts, at the position of the first.
    case keepLast
  }

  /// The maximum depth. Comparing, writing and releasing a value take stack for each level, and at
  /// this depth need less than the 512 KiB that some systems give a thread.
  public static let greatestDepth = 512

  /// The maximum nesting of lists and objects: 1 to ``greatestDepth``.
  public var depth: Int {
    didSet { depth = Self.clamp(depth) }
  }
  /// The maximum size of a text in bytes.
  public var bytes: Int
  /// The treatment of a duplicate name in an object.
  public var duplicateNames: DuplicateNames

  /// Creates options; a depth outside 1 to ``greatestDepth`` is clamped.
  public init(
    depth: Int = greatestDepth, bytes: Int = 1 << 30, duplicateNames: DuplicateNames = .refuse
  ) {
    self.depth = Self.clamp(depth)
    self.bytes = bytes
    self.duplicateNames = duplicateNames
  }

  private static func clamp(_ depth: Int) -> Int { min(max(depth, 1), greatestDepth) }
}
