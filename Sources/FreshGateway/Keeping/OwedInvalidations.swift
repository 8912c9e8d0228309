#if Gateway
  internal import Synchronization

  /// What was made invalid, and the store has not taken yet: copies of it are not used before they are validated (RFC
  /// 9111 section 4.4).
  ///
  /// It is of this process alone, and ends with it. Cost: one atomic load while nothing is owed.
  final class OwedInvalidations: Sendable {
    enum Mark: Sendable, Hashable {
      /// All variants of an address.
      case address(CopyKey)
      /// A tag, as of ``CacheGroups/tag(_:origin:)``.
      case tag(String)
      /// All copies: more was owed than is told apart.
      case everything
    }

    /// What is owed at one moment.
    struct Snapshot: Sendable {
      fileprivate let marks: [Mark: Int]

      func covers(_ key: CopyKey, groups: [String]) -> Bool {
        if marks[.address(key)] != nil || marks[.everything] != nil { return true }
        guard !groups.isEmpty else { return false }
        guard let origin = key.origin else { return true }
        return groups.contains { marks[.tag(CacheGroups.tag($0, origin: origin))] != nil }
      }
    }

    private struct State {
      /// With the number of the last time that each was made invalid.
      var marks: [Mark: Int] = [:]
      /// What is being made for the first time, which is not owed yet, by the number of its beginning.
      var begun: [Int: [Mark]] = [:]
      var last = 0
      /// True while somebody makes the marks.
      var isBeingMade = false
      var retrying: Task<Void, Never>?
      var hasEnded = false
    }

    private let state = Mutex(State())
    private let number = Atomic(0)
    private let capacity: Int

    /// - Parameter capacity: The most that are told apart; beyond it all copies count as invalid.
    init(capacity: Int = 1000) { self.capacity = capacity }

    var count: Int { number.load(ordering: .acquiring) }
    var isEmpty: Bool { count == 0 }

    /// What is owed now; `nil` for nothing. To be taken before copies are read: what is not owed any more by then is a
    /// mark in the file.
    var snapshot: Snapshot? {
      guard !isEmpty else { return nil }
      return state.withLock { $0.marks.isEmpty ? nil : Snapshot(marks: $0.marks) }
    }

    func add(_ marks: [Mark]) {
      state.withLock { state in
        for mark in marks {
          state.last += 1
          if state.marks[.everything] != nil || state.marks.count >= capacity {
            state.marks = [.everything: state.last]
          } else {
            state.marks[mark] = state.last
          }
        }
        number.store(state.marks.count, ordering: .releasing)
      }
    }

    /// Notes that the store is about to be given marks: until ``end(_:)`` it may lack them.
    func begin(_ marks: [Mark]) -> Int {
      state.withLock { state in
        state.last += 1
        state.begun[state.last] = marks
        return state.last
      }
    }

    /// The store has them, or they are owed.
    func end(_ number: Int) {
      state.withLock { $0.begun[number] = nil }
    }

    /// True while the store is given marks for the first time.
    var isMakingFirst: Bool { state.withLock { !$0.begun.isEmpty } }

    /// What was begun is owed, too: whoever has begun it may go on no more.
    func takeOver() {
      let begun = state.withLock { state in
        defer { state.begun = [:] }
        return state.begun.sorted { $0.key < $1.key }.flatMap(\.value)
      }
      add(begun)
    }

    /// The oldest, in the order in which they are to be made, with their numbers.
    func oldest(_ limit: Int) -> [(mark: Mark, number: Int)] {
      state.withLock { state in
        state.marks.sorted { $0.value < $1.value }.prefix(limit).map {
          (mark: $0.key, number: $0.value)
        }
      }
    }

    /// The store has it; one that was made invalid again since that number stays.
    func remove(_ mark: Mark, _ number: Int) {
      state.withLock { state in
        guard state.marks[mark] == number else { return }
        state.marks[mark] = nil
        self.number.store(state.marks.count, ordering: .releasing)
      }
    }

    // MARK: Who makes them

    /// False while another one makes them.
    func beginMaking() -> Bool {
      state.withLock { state in
        guard !state.isBeingMade else { return false }
        state.isBeingMade = true
        return true
      }
    }

    func endMaking() { state.withLock { $0.isBeingMade = false } }

    /// Runs the work that tries again and again, unless it runs already.
    func retry(_ work: @escaping @Sendable () async -> Void) {
      state.withLock { state in
        guard state.retrying == nil, !state.hasEnded else { return }
        state.retrying = Task { await work() }
      }
    }

    /// True once nothing is owed: whoever adds something later starts it anew.
    func endRetrying() -> Bool {
      state.withLock { state in
        guard state.marks.isEmpty else { return false }
        state.retrying = nil
        return true
      }
    }

    /// Ends it, and returns once it has ended.
    func stopRetrying() async {
      let task = state.withLock { state in
        state.hasEnded = true
        return state.retrying
      }
      task?.cancel()
      await task?.value
    }
  }
#endif
