/// The limits of a store's memory.
public struct MemoryLimits: Sendable, Hashable {
  /// The most records.
  public var records: Int
  /// The most bytes, counted as the size of the stored values and keys plus 160 for each record. A
  /// decoded value may take more.
  public var bytes: Int

  /// Creates limits.
  public init(records: Int, bytes: Int) {
    self.records = records
    self.bytes = bytes
  }

  /// 10,000 records of 32 MiB together.
  public static var standard: MemoryLimits { MemoryLimits(records: 10_000, bytes: 32 << 20) }
  /// Keeps nothing: every read asks the file.
  public static var none: MemoryLimits { MemoryLimits(records: 0, bytes: 0) }
}
