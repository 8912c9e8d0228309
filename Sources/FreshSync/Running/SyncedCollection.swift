internal import FreshStore
internal import Strategies

/// A collection a synchronizer takes care of, without its type.
struct SyncedCollection: Sendable {
  /// How its records are asked for.
  enum Asking: Sendable {
    /// All in the same way.
    case alike(Policy)
    /// Each as its source demands; where there is no policy, not at all.
    case bySource(@Sendable (String?) -> Policy?)
  }

  let name: String
  let asking: Asking
  /// The most records one fetch takes.
  let batch: Int
  /// Whether a source is to be asked now.
  let sourceState: @Sendable (Policy) throws(StoreError) -> SourceState
  let refetch: @Sendable ([QueueClaim], Policy) async -> JobEnd
  /// `nil` when its local writes are not pushed.
  let push: (@Sendable (DueWrite, Policy) async -> JobEnd)?

  /// How a record with that source is asked for; `nil` for one that is not.
  func policy(of source: String?) -> Policy? {
    switch asking {
    case .alike(let policy): policy
    case .bySource(let policy): policy(source)
    }
  }

  /// Who is asked for a record with that source; `nil` for nobody.
  func origin(of source: String?) -> String? {
    switch asking {
    case .alike(let policy):
      SourceOrigin.name(policy: policy.origin, source: source, collection: name)
    case .bySource(let policy):
      policy(source).map { SourceOrigin.name(policy: $0.origin, source: source, collection: name) }
    }
  }

  /// Under which name it is known how the source of an account stands: records that are asked for
  /// alike stand and fall together.
  func standing(of account: Ledger.Account) -> Ledger.Account {
    switch asking {
    case .alike(let policy): Ledger.Account(collection: name, origin: policy.origin ?? name)
    case .bySource: account
    }
  }
}
