internal import Synchronization

/// The answers whose heads have gone out, and that the store does not have yet: until it does, the copies that are there
/// are older than what somebody was told.
final class Landings: Sendable {
  private struct Landing {
    let number: Int
    let answer: StoredAnswer
  }

  private struct State {
    /// By the key of the address.
    var landings: [String: [Landing]] = [:]
    var lastNumber = 0
  }

  private let state = Mutex(State())
  private let count = Atomic(0)

  /// True where there are none; costs nothing.
  var isEmpty: Bool { count.load(ordering: .sequentiallyConsistent) == 0 }

  /// The head of an answer that is to be stored goes out. Returns the number by which it ends.
  func begin(_ answer: StoredAnswer, at key: CopyKey) -> Int {
    count.add(1, ordering: .sequentiallyConsistent)
    return state.withLock { state in
      state.lastNumber += 1
      state.landings[key.base, default: []].append(
        Landing(number: state.lastNumber, answer: answer))
      return state.lastNumber
    }
  }

  /// The store has it, or never will.
  func end(_ number: Int, at key: CopyKey) {
    state.withLock { state in
      let others = state.landings[key.base]?.filter { $0.number != number } ?? []
      state.landings[key.base] = others.isEmpty ? nil : others
    }
    count.subtract(1, ordering: .sequentiallyConsistent)
  }

  /// Those of an address; to be asked for before its copies are looked up.
  func answers(at key: CopyKey) -> [StoredAnswer] {
    isEmpty ? [] : state.withLock { $0.landings[key.base] ?? [] }.map(\.answer)
  }
}

extension StoredAnswer {
  /// True for a copy that is older than one of these answers, where a request selects both.
  func isOlder(than landings: [StoredAnswer], for request: GatewayRequest) -> Bool {
    landings.contains { landing in
      guard request.selects(landing.selection) else { return false }
      return receivedAt == landing.receivedAt
        ? fields != landing.fields : receivedAt < landing.receivedAt
    }
  }
}
