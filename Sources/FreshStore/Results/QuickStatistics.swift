/// The pending work and the size of a store, at little cost.
package struct QuickStatistics: Sendable, Hashable {
  /// What waits; no count passes ``limit``.
  package var work = WaitingWork()
  /// Size of the database file in bytes.
  package var fileBytes = 0
  /// Free bytes inside it.
  package var freeBytes = 0
  /// Size of the log in bytes.
  package var logBytes = 0
  /// Bytes of long values that no record has any more.
  package var leftBytes = 0
  /// Bytes of long values that are arriving.
  package var arrivingBytes = 0

  /// The limit of all counts.
  package static let limit = 100_000
}
