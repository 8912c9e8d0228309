package import Strategies

/// The counts of some adjacent records of the file.
package struct RecordCounts: Sendable, Hashable {
  /// The counts of one collection.
  package struct Counts: Sendable, Hashable {
    /// Records with a value that has not expired and is not marked.
    package var fresh = 0
    /// Records with a value that has expired, or is marked.
    package var stale = 0
    /// Records of the answer "does not exist".
    package var absent = 0
    /// Bytes of values.
    package var bytes = 0

    /// No records.
    package init() {}

    /// Adds the counts of other records.
    package static func += (left: inout Counts, right: Counts) {
      left.fresh += right.fresh
      left.stale += right.stale
      left.absent += right.absent
      left.bytes += right.bytes
    }
  }

  /// By collection.
  package var collections: [ExactName: Counts] = [:]
  /// The next slice begins after this row.
  package var end: Int64
  /// True when no slice follows.
  package var isLast: Bool
  /// The earliest expiry of a fresh record of the slice.
  package var nextExpiry: Timestamp?
}
