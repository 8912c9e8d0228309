internal import FreshStore
internal import Strategies

/// A collection of a synchronizer, without its type.
struct SyncedCollection: Sendable {
  /// The policies for its records.
  enum Asking: Sendable {
    /// One policy for all.
    case alike(Policy)
    /// A policy for each source; a record without one is not asked for.
    case bySource(@Sendable (String?) -> Policy?)
  }

  let name: String
  let asking: Asking
  /// The most records in one fetch.
  let batch: Int
  /// The state of a source, which decides whether it is asked now.
  let sourceState: @Sendable (Policy) throws(StoreError) -> SourceState
  let refetch: @Sendable ([DueRecord], Policy) async -> JobEnd
  /// `nil` when its local writes are not pushed.
  let push: (@Sendable ([DueWrite], Policy) async -> JobEnd)?
  /// The most local writes in one push.
  var pushBatch = 1

  /// True when an application's closure decides on the policies.
  var asksApplication: Bool {
    if case .bySource = asking { true } else { false }
  }

  /// The policy of a record with that source; `nil` for one that is not asked for.
  func policy(of address: String?) -> Policy? {
    switch asking {
    case .alike(let policy): policy
    case .bySource(let policy): policy(address)
    }
  }

  /// The origin of a record with that source; `nil` for none.
  func origin(of address: String?) -> String? {
    switch asking {
    case .alike(let policy):
      SourceOrigin.name(policy: policy.origin, address: address, collection: name)
    case .bySource(let policy):
      policy(address).map {
        SourceOrigin.name(policy: $0.origin, address: address, collection: name)
      }
    }
  }

  /// The name of the availability of an account's source: records with one policy share one availability.
  func availability(of account: RunProgress.Account) -> RunProgress.Account {
    switch asking {
    case .alike(let policy):
      RunProgress.Account(collection: name, origin: policy.origin?.name ?? name)
    case .bySource: account
    }
  }
}

extension [ExactName: SyncedCollection] {
  /// The origins of the records of these collections.
  var origins: OriginOfRecord { { self[$0]?.origin(of: $1) } }
}
