internal import FreshStore
internal import Strategies

/// A collection a synchronizer takes care of, without its type.
struct SyncedCollection: Sendable {
  let name: String
  /// The origin its policy names.
  let origin: String?
  /// The most records one fetch takes.
  let batch: Int
  /// Whether its source is to be asked now.
  let sourceState: @Sendable () throws(StoreError) -> SourceState
  /// True when a lost network keeps it from being asked, as opposed to a policy that knows better.
  let followsNetwork: Bool
  /// `nil` when its records are not fetched.
  let refetch: (@Sendable ([QueueClaim]) async -> JobEnd)?
  /// `nil` when its local writes are not pushed.
  let push: (@Sendable (DueWrite) async -> JobEnd)?

  /// Who is asked for a record with that source.
  func originName(_ source: String?) -> String {
    SourceOrigin.name(policy: origin, source: source, collection: name)
  }
}
