/// What a fleet says of one record to a host that only looks: a get would hear the same.
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
