package import Strategies

/// How a host stands to its fleet.
package struct FleetStanding: Sendable {
  /// Marks that have waited for their delivery for longer than other hosts may count on.
  package struct Overdue: Sendable {
    package let marks: Int
    /// How long the oldest has waited, as far as this process has seen.
    package let wait: Duration
    /// The failure of the last attempt; `nil` where none has failed yet.
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

/// The place of a host in the order of its fleet's marks, as its file has it.
package struct FleetPlace: Sendable, Hashable {
  /// The newest mark that is applied.
  package let position: SharedPosition
  /// The last answer of the fleet that was noted: one that brought marks, or any, a minute after the one before.
  package let lastWord: Timestamp
}

/// The fleet's answer about one record for a host that only looks: a get would receive the same.
package struct FleetHearing: Sendable {
  /// The marks that the host has not taken in.
  package let news: SharedNews
  /// The result of a claim that takes no lease; `nil` where there is nothing.
  package let result: SharedClaimResult?

  package init(news: SharedNews, result: SharedClaimResult?) {
    (self.news, self.result) = (news, result)
  }

  /// The reason for which a copy that is here is stale once the news are taken in; `nil` where they leave it alone.
  package func mark(over key: SharedKey, tags: [String]) -> String? {
    switch news {
    case .suspect(let cause, _): return "the fleet's marks are not known: \(cause.words)"
    case .marks(let marks, _, let isMore):
      let tags = tags.map { Array($0.utf8) }
      if let mark = marks.last(where: { $0.scope.applies(to: key, tags: tags) }) {
        return mark.reason
      }
      return isMore ? "marks of the fleet are still to be applied" : nil
    }
  }
}

extension SharedMark.Scope {
  /// Whether a mark of this scope covers a record, if that was asked for before.
  package func applies(to key: SharedKey, tags: [[UInt8]]) -> Bool {
    switch self {
    case .key(let marked): marked == key
    case .tag(let tag): tags.contains(tag)
    case .prefix(let prefix, let collection):
      key.collection == collection && key.key.starts(with: prefix)
    case .collection(let collection): key.collection == collection
    case .all: true
    }
  }
}
