internal import Strategies

/// How a host stands to its fleet.
package struct FleetStanding: Sendable {
  /// Marks that have waited for their delivery for longer than other hosts may count on.
  package struct Overdue: Sendable {
    package let marks: Int
    /// How long the oldest has waited, as far as this process has seen.
    package let wait: Duration
    /// What has hindered the last attempt; `nil` where none has failed yet.
    package let reason: SharedTierError?

    package var words: String {
      let subject = marks == 1 ? "1 mark has" : "\(marks) marks have"
      let cause = reason.map { ": \($0)" } ?? ""
      return "\(subject) waited \(wait.brief) for delivery; other hosts may serve what is marked"
        + cause
    }
  }

  /// A mark is delivered within this time while the fleet is in reach: it is tried every second.
  package static let longestDelivery = Duration.seconds(10)

  /// Why the host goes on alone; `nil` while the fleet is in reach, as far as is known.
  package let obstacle: SharedTierError?
  /// How often a call has failed since the store was opened, as the fleet was out of reach.
  package let failures: Int
  /// The number of the last mark that is applied here; `nil` before the first news.
  package let place: Int64?
  /// The marks that are still to be delivered.
  package let keptMarks: Int
  /// The marks that the fleet has refused since they were kept for it.
  package let refusedMarks: Int
  /// `nil` while no mark has waited for longer than ``longestDelivery``.
  package let overdue: Overdue?
}
