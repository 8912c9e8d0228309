internal import Dispatch
internal import Platform
internal import Synchronization

/// Reports to the observers of a store the commits of other stores, in this process or in another, on its file.
///
/// While there are observers, the store is registered in the file's list of observers. A writer
/// then logs each change in the same transaction, and afterwards touches the shared memory file.
/// The kernel reports the touch, and this store reads the log. Between two reports nothing runs.
///
/// Reports about the database's own files would not do: the write-ahead log is written before its commit is
/// visible, and the shared memory changes without the kernel's knowledge.
final class ForeignChanges: Sendable {
  /// How long a registration lasts without renewal.
  static let lifetime: Duration = .seconds(60)
  private static let renewalInterval = DispatchTimeInterval.seconds(20)
  private static let retryInterval = DispatchTimeInterval.seconds(1)
  /// The interval between reads of the log when the kernel reports nothing.
  private static let lookInterval = DispatchTimeInterval.milliseconds(100)
  /// How long a new observer waits for the registration of the store.
  private static let patience = DispatchTimeInterval.milliseconds(100)

  private enum Phase {
    case idle
    /// The group is left at the end of the first attempt.
    case registering(DispatchGroup)
    case registered
    case ended
  }

  private struct State {
    var phase = Phase.idle
    /// Distinguishes the work of an observation from the work of an earlier one.
    var number = 0
    /// True when changes may have been committed that the log does not hold.
    var isLate = false
  }

  private let storage: Storage
  private let hub: ChangeHub
  private let evidence: FetchEvidence
  private let queue = DispatchQueue(label: "freshstore.observation", qos: .userInitiated)
  private let state = Mutex(State())
  private let polling = Atomic<Bool>(false)
  /// Used only on the queue, which the compiler cannot check.
  private let session = Mutex<ObservationSession?>(nil)

  init(_ storage: Storage, _ hub: ChangeHub, _ evidence: FetchEvidence) {
    self.storage = storage
    self.hub = hub
    self.evidence = evidence
  }

  deinit {
    session.withLock { $0?.cancel() }
  }

  /// True while the log is polled, because the kernel reports nothing.
  var isPolling: Bool { polling.load(ordering: .relaxed) }

  // MARK: Called by observers

  /// Begins, if needed: later commits by other stores are reported. If the file cannot be written for more than a
  /// moment, reports begin later, after a change of kind `unknown`.
  func follow() {
    let group = state.withLock { state -> DispatchGroup? in
      switch state.phase {
      case .ended, .registered: return nil
      case .registering(let group): return group
      case .idle:
        state.isLate = false
        return register(&state, after: .seconds(0))
      }
    }
    guard let group, group.wait(timeout: .now() + Self.patience) == .timedOut else { return }
    state.withLock { state in
      if case .registering = state.phase { state.isLate = true }
    }
  }

  /// Ends, if the last observer has gone.
  func leave() {
    state.withLock { state in
      switch state.phase {
      case .registering where hub.isEmpty, .registered where hub.isEmpty:
        state.phase = .idle
        state.number += 1
        queue.async { [self] in end() }
      default: break
      }
    }
  }

  /// Ends permanently. Called before the file is closed.
  func close() async {
    state.withLock { state in
      state.phase = .ended
      state.number += 1
    }
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        end()
        continuation.resume()
      }
    }
  }

  // MARK: On the queue

  private func register(
    _ state: inout State, after delay: DispatchTimeInterval
  ) -> DispatchGroup {
    let group = DispatchGroup()
    group.enter()
    state.phase = .registering(group)
    state.number += 1
    begin(state.number, after: delay) { group.leave() }
    return group
  }

  private func begin(
    _ number: Int, after delay: DispatchTimeInterval, then done: @escaping @Sendable () -> Void
  ) {
    queue.asyncAfter(deadline: .now() + delay) { [weak self] in
      self?.begin(number)
      done()
    }
  }

  private func isCurrent(_ number: Int) -> Bool { state.withLock { $0.number == number } }

  private func begin(_ number: Int) {
    guard isCurrent(number) else { return }
    do throws(StoreError) {
      let isPolling = try session.withLock { (session) throws(StoreError) in
        let next = try open(number)
        session = next
        return next.isPolling
      }
      polling.store(isPolling, ordering: .relaxed)
    } catch {
      state.withLock { $0.isLate = true }
      // These errors do not pass.
      guard error.code != .closed, error.code != .forked else { return }
      return begin(number, after: Self.retryInterval) {}
    }
    let isLate = state.withLock { state in
      guard state.number == number else { return false }
      state.phase = .registered
      defer { state.isLate = false }
      return state.isLate
    }
    if isLate { hub.publish(.unknown) }
    look(number)
  }

  /// Registers as an observer and watches the files.
  private func open(_ number: Int) throws(StoreError) -> ObservationSession {
    let database = storage.database
    guard database.file.access == .readWrite else {
      var session = ObservationSession(.versions(after: try database.dataVersion()), nil)
      session.look(every: Self.lookInterval, on: queue) { [weak self] in self?.look(number) }
      return session
    }
    // Another process may be about to replace a deleted file, which must not be created here.
    guard let identity = database.file.identity else {
      throw StoreError(.cannotOpen, .observe, path: database.file.path)
    }
    try database.followFile()
    let position = try storage.register(for: Self.lifetime)
    var session = ObservationSession(.log(after: position), identity)
    session.repeat(every: Self.renewalInterval, on: queue) { [weak self] in self?.renew(number) }
    let isWatched = session.watch(database.file, on: queue) { [weak self] hasMoved in
      self?.lookAfterEvent(number, hasMoved: hasMoved)
    }
    if !isWatched {
      session.look(every: Self.lookInterval, on: queue) { [weak self] in
        self?.look(number, hasMoved: true)
      }
    }
    return session
  }

  private func lookAfterEvent(_ number: Int, hasMoved: Bool) {
    look(number, hasMoved: hasMoved)
    // The pause lets few queries read a burst; meanwhile the kernel merges its events into one.
    usleep(5_000)
  }

  private func renew(_ number: Int) {
    guard isCurrent(number) else { return }
    do throws(StoreError) {
      if try storage.renew(for: Self.lifetime) { look(number) } else { lose(number) }
    } catch {
      // The registration is still valid at the next renewal.
    }
  }

  /// Reports commits since the last read.
  private func look(_ number: Int, hasMoved: Bool = false) {
    guard isCurrent(number) else { return }
    let identity = session.withLock { $0?.identity }
    if hasMoved, storage.database.file.identity != identity { return lose(number) }
    do throws(StoreError) {
      let isWhole = try session.withLock { (session) throws(StoreError) in
        try session?.read(storage) { tell($0) } ?? true
      }
      if !isWhole { lose(number) }
    } catch {
      lose(number)
    }
  }

  /// Begins anew, after the file was replaced or the registration has expired.
  private func lose(_ number: Int) {
    let age = session.withLock { session in
      defer { session = nil }
      session?.cancel()
      return session.map { ContinuousClock.now - $0.begin } ?? .zero
    }
    state.withLock { state in
      guard state.number == number, case .registered = state.phase else { return }
      _ = register(&state, after: age < .seconds(1) ? Self.retryInterval : .seconds(0))
      state.isLate = true
    }
  }

  /// Passes news on to the observers. When another store ends pauses, this process also forgets the failures of its own
  /// fetches. A store that only gives back the work of a dead process knows nothing of its routes.
  private func tell(_ news: ObservationSession.News) {
    switch news {
    case .skipped(let count): hub.skip(count)
    case .change(let change):
      switch change.ended {
      case .all: evidence.forgetFailures(over: nil)
      case .origin(let origin): evidence.forgetFailures(over: .origin(origin))
      case nil: break
      }
      hub.publish(change)
    }
  }

  private func end() {
    let wasRegistered = session.withLock { session in
      defer { session = nil }
      session?.cancel()
      return session?.identity != nil
    }
    polling.store(false, ordering: .relaxed)
    guard wasRegistered else { return }
    do throws(StoreError) {
      try storage.unregister()
    } catch {
      // The registration expires by itself.
    }
  }
}
