/// What a JSON text may be, and how its oddities are taken.
public struct JSONParsingOptions: Sendable, Hashable {
  /// What becomes of a name that an object has twice.
  public enum DuplicateNames: String, Sendable, Hashable, CaseIterable {
    /// It is an error: readers differ about which value counts, and that is how things slip past a
    /// check (RFC 8259, section 4).
    case refuse
    /// The first value counts.
    case keepFirst
    /// The last value counts, in the place of the first.
    case keepLast
  }

  /// The greatest depth there is. Comparing, writing and releasing a value take stack for each level,
  /// and at this depth need less than the 512 KiB that some systems give a thread.
  public static let greatestDepth = 512

  /// How many lists and objects may lie inside one another: 1 to ``greatestDepth``.
  public var depth: Int {
    didSet { depth = Self.clamp(depth) }
  }
  /// How many bytes a text may have.
  public var bytes: Int
  /// What becomes of a name that an object has twice.
  public var duplicateNames: DuplicateNames

  /// Creates options; a depth outside 1 to ``greatestDepth`` is brought inside.
  public init(
    depth: Int = greatestDepth, bytes: Int = 1 << 30, duplicateNames: DuplicateNames = .refuse
  ) {
    self.depth = Self.clamp(depth)
    self.bytes = bytes
    self.duplicateNames = duplicateNames
  }

  private static func clamp(_ depth: Int) -> Int { min(max(depth, 1), greatestDepth) }
}
