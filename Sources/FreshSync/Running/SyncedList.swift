internal import FreshStore
internal import Strategies

/// A list a synchronizer follows, without its type.
struct SyncedList: Sendable {
  /// Names a list among all.
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
  let account: Ledger.Account
  /// Whether its source is to be asked now.
  let sourceState: @Sendable () throws(StoreError) -> SourceState
  /// True when a lost network keeps it from being asked, as opposed to a policy that knows better.
  let followsNetwork: Bool
  /// When it is to be followed again; `nil` when never.
  let due: @Sendable () throws(StoreError) -> Timestamp?
  let follow: @Sendable () async -> JobEnd
}
