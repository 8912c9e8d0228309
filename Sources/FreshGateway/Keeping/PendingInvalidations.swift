#if Gateway
  internal import Synchronization

  /// The invalidations that the store has not taken yet. Their copies are not used before validation (RFC 9111 section
  /// 4.4).
  ///
  /// They belong to this process and end with it. Cost: one atomic load while there are none.
  final class PendingInvalidations: Sendable {
    enum Mark: Sendable, Hashable {
      /// All variants of an address.
      case address(CopyKey)
      /// A tag, from ``CacheGroups/tag(_:origin:)``.
      case tag(String)
      /// All copies: there were more marks than are told apart.
      case everything
    }

    /// The marks at one moment.
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
      /// The marks, each with the number of its latest invalidation.
      var marks: [Mark: Int] = [:]
      /// The marks that the store is being given for the first time, by the number of their beginning. They are not
      /// owed yet.
      var begun: [Int: [Mark]] = [:]
      var last = 0
      /// True while a task gives the marks to the store.
      var isBeingMade = false
      var retrying: Task<Void, Never>?
      var hasEnded = false
    }

    private let state = Mutex(State())
    private let number = Atomic(0)
    private let capacity: Int

    /// - Parameter capacity: The most marks that are told apart; beyond it all copies count as invalid.
    init(capacity: Int = 1000) { self.capacity = capacity }

    var count: Int { number.load(ordering: .acquiring) }
    var isEmpty: Bool { count == 0 }

    /// The marks now; `nil` without any. Taken before copies are read: a mark that is gone by then is in the file.
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

    /// The store has these marks, or they were added.
    func end(_ number: Int) {
      state.withLock { $0.begun[number] = nil }
    }

    /// True while the store is given marks for the first time.
    var isMakingFirst: Bool { state.withLock { !$0.begun.isEmpty } }

    /// Adds the begun marks, too: their task may never end.
    func takeOver() {
      let begun = state.withLock { state in
        defer { state.begun = [:] }
        return state.begun.sorted { $0.key < $1.key }.flatMap(\.value)
      }
      add(begun)
    }

    /// The oldest marks, in the order in which the store gets them, with their numbers.
    func oldest(_ limit: Int) -> [(mark: Mark, number: Int)] {
      state.withLock { state in
        state.marks.sorted { $0.value < $1.value }.prefix(limit).map {
          (mark: $0.key, number: $0.value)
        }
      }
    }

    /// The store has this mark. A mark with a newer invalidation stays.
    func remove(_ mark: Mark, _ number: Int) {
      state.withLock { state in
        guard state.marks[mark] == number else { return }
        state.marks[mark] = nil
        self.number.store(state.marks.count, ordering: .releasing)
      }
    }

    // MARK: The task that gives the marks to the store

    /// False while another task does it.
    func beginMaking() -> Bool {
      state.withLock { state in
        guard !state.isBeingMade else { return false }
        state.isBeingMade = true
        return true
      }
    }

    func endMaking() { state.withLock { $0.isBeingMade = false } }

    /// Runs the work that retries, unless it runs already.
    func retry(_ work: @escaping @Sendable () async -> Void) {
      state.withLock { state in
        guard state.retrying == nil, !state.hasEnded else { return }
        state.retrying = Task { await work() }
      }
    }

    /// True once there are no marks: the next addition starts the work again.
    func endRetrying() -> Bool {
      state.withLock { state in
        guard state.marks.isEmpty else { return false }
        state.retrying = nil
        return true
      }
    }

    /// Cancels the work, and returns once it has ended.
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
