internal import FreshStore
internal import Strategies
internal import Synchronization

/// A collection of a synchronizer, without its type.
struct SyncedCollection: Sendable {
  /// The policies for its records.
  enum Policies: Sendable {
    /// One policy for all.
    case alike(Policy)
    /// A policy for each source; a record without a policy is not asked for.
    case bySource(@Sendable (String?) -> Policy?)
  }

  let name: String
  let policies: Policies
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
    if case .bySource = policies { true } else { false }
  }

  /// The policy of a record with that source; `nil` for a record that is not asked for.
  func policy(of address: String?) -> Policy? {
    switch policies {
    case .alike(let policy): policy
    case .bySource(let policy): policy(address)
    }
  }

  /// The origin of a record with that source; `nil` for none.
  func origin(of address: String?) -> String? {
    switch policies {
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
    switch policies {
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

/// A list that a synchronizer follows, without its type.
struct SyncedList: Sendable {
  /// Identifies a list among all.
  struct Name: Hashable, Sendable {
    let collection: ExactName
    let list: ExactName
  }

  let name: Name
  let account: RunProgress.Account
  /// The state of its source, which decides whether it is asked now.
  let sourceState: @Sendable () throws(StoreError) -> SourceState
  /// True when the network decides whether it is asked, and not a better-informed policy.
  let followsNetwork: Bool
  /// When the list is to be followed again.
  let standing: @Sendable () throws(StoreError) -> ListStanding
  let follow: @Sendable () async -> JobEnd
}

/// The collections and lists of a synchronizer; they may grow while it runs.
final class Registry: Sendable {
  private struct State {
    var collections: [ExactName: SyncedCollection] = [:]
    var lists: [SyncedList.Name: SyncedList] = [:]
  }

  private let state = Mutex(State())

  var collections: [ExactName: SyncedCollection] { state.withLock(\.collections) }
  var lists: [SyncedList] { state.withLock { Array($0.lists.values) } }

  func add(_ collection: SyncedCollection) {
    state.withLock { $0.collections[collection.name] = collection }
  }

  func add(_ list: SyncedList) {
    state.withLock { $0.lists[list.name] = list }
  }

  func remove(_ collection: String) {
    state.withLock { state in
      state.collections[collection] = nil
      state.lists = state.lists.filter { $0.key.collection != ExactName(collection) }
    }
  }
}

/// The origin of a record, by which limits and pauses are counted.
enum SourceOrigin {
  /// The origin a policy names, else that of a URL source, else the collection.
  static func name(policy: Origin?, address: String?, collection: String) -> String {
    (policy ?? address.flatMap(Origin.init(url:)))?.name ?? collection
  }
}

/// A look at the file that needs the origins of the records that it finds.
///
/// Policies by source are an application's own, and may read the store. So they are asked between two looks, and
/// never within one.
final class OriginLook: Sendable {
  private struct Source: Hashable {
    let collection: ExactName
    let address: ExactName?
  }

  private struct State {
    var known: [Source: String?] = [:]
    var unknown: Set<Source> = []
  }

  private let state = Mutex(State())

  private init() {}

  /// The result of a look that knows the origins of all records that it finds. The first look is enough if no
  /// application is asked.
  static func result<Result>(
    _ members: [ExactName: SyncedCollection], _ origin: @escaping OriginOfRecord,
    of look: (@escaping OriginOfRecord) async throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    guard members.values.contains(where: \.asksApplication) else { return try await look(origin) }
    let origins = OriginLook()
    while true {
      let result = try await look { origins.find($0, $1) }
      guard origins.learn(from: origin) else { return result }
    }
  }

  /// The known origin; `nil` for an origin that is unknown so far, which is asked for next.
  private func find(_ collection: String, _ address: String?) -> String? {
    let source = Source(
      collection: ExactName(collection), address: address.map { ExactName($0) })
    return state.withLock { state in
      if let known = state.known[source] { return known }
      state.unknown.insert(source)
      return nil
    }
  }

  /// Asks for the unknown origins; false when there are none.
  private func learn(from origin: OriginOfRecord) -> Bool {
    let unknown = state.withLock { state in
      defer { state.unknown = [] }
      return state.unknown
    }
    for source in unknown {
      let name = origin(source.collection.text, source.address?.text)
      state.withLock { $0.known[source] = .some(name) }
    }
    return !unknown.isEmpty
  }
}
