internal import FreshStore
internal import Synchronization

/// The keys of the copies of addresses that vary, as this process last saw them. It spares a look at the
/// file's index for as long as nothing is committed: of several copies the most recent counts, whoever has stored it.
final class CopyDirectory: Sendable {
  private struct Entry {
    let keys: [String]
    let commit: CommitMark
  }

  private struct State {
    var recent: [String: Entry] = [:]
    var older: [String: Entry] = [:]
  }

  private let state = Mutex(State())
  private let capacity: Int

  /// - Parameter capacity: Twice as many addresses are known at the most.
  init(capacity: Int = 20_000) { self.capacity = capacity }

  /// - Parameter commit: What the file is at; what was seen before is not known any more.
  func keys(of base: String, at commit: CommitMark) -> [String]? {
    state.withLock { state in
      guard let entry = state.recent[base] ?? state.older[base], entry.commit == commit else {
        return nil
      }
      if state.recent[base] == nil { Self.set(entry, of: base, in: &state, capacity) }
      return entry.keys
    }
  }

  /// - Parameter commit: What the file was at before they were looked up.
  func set(_ keys: [String], of base: String, at commit: CommitMark) {
    state.withLock { Self.set(Entry(keys: keys, commit: commit), of: base, in: &$0, capacity) }
  }

  private static func set(
    _ entry: Entry, of base: String, in state: inout State, _ capacity: Int
  ) {
    if state.recent.count >= capacity, state.recent[base] == nil {
      state.older = state.recent
      state.recent = [:]
    }
    state.recent[base] = entry
  }
}
