internal import FreshStore
internal import Synchronization

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
      state.lists = state.lists.filter { !$0.key.collection.hasSameBytes(as: collection) }
    }
  }
}
