package import Strategies

/// The pending work and the size of a store, at little cost.
package struct QuickStatistics: Sendable, Hashable {
  /// The local writes of a collection.
  package struct Writes: Sendable, Hashable {
    /// Writes that wait for the source, or are being pushed.
    package var waiting: Int
    /// Writes that the source refused.
    package var parked: Int
  }

  /// Records that wait for a refetch now; never more than ``limit``.
  package var due = 0
  /// The next due time of a record; in the past when one is due already.
  package var nextDue: Timestamp?
  /// Running fetches of records, in any process.
  package var leases = 0
  /// Origins with failures.
  package var failingOrigins = 0
  /// Local writes by collection, counted up to ``limit``.
  package var writes: [ExactName: Writes] = [:]
  /// Size of the database file in bytes.
  package var fileBytes = 0
  /// Free bytes inside it.
  package var freeBytes = 0
  /// Size of the log in bytes.
  package var logBytes = 0

  /// The limit of all counts.
  package static let limit = 100_000
}
