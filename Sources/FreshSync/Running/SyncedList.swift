internal import FreshStore
internal import Strategies

/// A list that a synchronizer follows, without its type.
struct SyncedList: Sendable {
  /// Identifies a list among all.
  struct Name: Hashable, Sendable {
    let collection: String
    let list: String

    static func == (left: Name, right: Name) -> Bool {
      left.collection.hasSameBytes(as: right.collection) && left.list.hasSameBytes(as: right.list)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(ExactName(collection))
      hasher.combine(ExactName(list))
    }
  }

  let name: Name
  let account: RunProgress.Account
  /// The state of its source, which decides whether it is asked now.
  let sourceState: @Sendable () throws(StoreError) -> SourceState
  /// True when a lost network, and not a better-informed policy, keeps it from being asked.
  let followsNetwork: Bool
  /// When it is to be followed again.
  let standing: @Sendable () throws(StoreError) -> ListStanding
  let follow: @Sendable () async -> JobEnd
}
