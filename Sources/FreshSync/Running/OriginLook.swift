internal import FreshStore
internal import Synchronization

/// A look at the file that needs the origins of what it finds. Policies by source are an application's own, and may
/// read the store: they are asked between two looks, and never within one.
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

  /// The result of a look that knows the origin of all it has found: the first one, where no application is asked.
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

  /// The known origin; nothing for one that is asked for next.
  private func find(_ collection: String, _ address: String?) -> String? {
    let source = Source(
      collection: ExactName(collection), address: address.map { ExactName($0) })
    return state.withLock { state in
      if let known = state.known[source] { return known }
      state.unknown.insert(source)
      return nil
    }
  }

  /// Asks for what was not known; false when there is nothing.
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
