internal import Dispatch
internal import Platform
internal import Synchronization

/// Tells the observers of a store what other stores commit to its file, be it in this process or in
/// another.
///
/// While somebody observes, the store stands in the file's list of observers. Whoever commits a
/// change then logs it in the same transaction, and touches the shared memory file afterwards, which
/// the kernel announces; the log is read, and between two announcements nothing runs. The pages of
/// the database tell nothing: the log is written before its commit can be seen, and the shared
/// memory is changed without the kernel's knowledge.
final class ForeignChanges: Sendable {
  /// How long the list of observers keeps a store that does not say that it still lives.
  static let lifetime: Duration = .seconds(60)
  private static let renewalInterval = DispatchTimeInterval.seconds(20)
  private static let retryInterval = DispatchTimeInterval.seconds(1)
  /// How often the log is looked at where the kernel announces nothing.
  private static let lookInterval = DispatchTimeInterval.milliseconds(100)
  /// A new observer waits so long for the store to be on the list.
  private static let patience = DispatchTimeInterval.milliseconds(100)

  private enum Phase {
    case idle
    /// The group is left at the first attempt's end.
    case registering(DispatchGroup)
    case registered
    case ended
  }

  private struct State {
    var phase = Phase.idle
    /// Tells the work of an observation from that of one before.
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
  /// Used on the queue alone, which the compiler does not know.
  private let session = Mutex<ObservationSession?>(nil)

  init(_ storage: Storage, _ hub: ChangeHub, _ evidence: FetchEvidence) {
    self.storage = storage
    self.hub = hub
    self.evidence = evidence
  }

  deinit {
    session.withLock { $0?.cancel() }
  }

  /// True while the log is looked at again and again, because the kernel announces nothing.
  var isPolling: Bool { polling.load(ordering: .relaxed) }

  // MARK: Called by observers

  /// Begins, if there is need: what others commit from the return on is told. When the file cannot
  /// be written for more than a moment it is told later, after a change of kind `unknown`.
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

  /// Ends for good; before the file is closed.
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
      // What is closed, or belongs to another process, stays so.
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

  /// Enters the list of observers and has the files watched.
  private func open(_ number: Int) throws(StoreError) -> ObservationSession {
    let database = storage.database
    guard database.file.access == .readWrite else {
      var session = ObservationSession(.versions(after: try database.dataVersion()), nil)
      session.look(every: Self.lookInterval, on: queue) { [weak self] in self?.look(number) }
      return session
    }
    // A file that somebody is about to put in the place of a deleted one is not made here.
    guard let identity = database.file.identity else {
      throw StoreError(.cannotOpen, .observe, path: database.file.path)
    }
    try database.followFile()
    let position = try storage.register(for: Self.lifetime)
    var session = ObservationSession(.log(after: position), identity)
    session.repeat(every: Self.renewalInterval, on: queue) { [weak self] in self?.renew(number) }
    let isWatched = session.watch(database.file, on: queue) { [weak self] hasMoved in
      self?.isAnnounced(number, hasMoved: hasMoved)
    }
    if !isWatched {
      session.look(every: Self.lookInterval, on: queue) { [weak self] in
        self?.look(number, hasMoved: true)
      }
    }
    return session
  }

  private func isAnnounced(_ number: Int, hasMoved: Bool) {
    look(number, hasMoved: hasMoved)
    // A burst is read in few looks; meanwhile the kernel keeps its announcements, as one.
    usleep(5_000)
  }

  private func renew(_ number: Int) {
    guard isCurrent(number) else { return }
    do throws(StoreError) {
      if try storage.renew(for: Self.lifetime) { look(number) } else { lose(number) }
    } catch {
      // The next renewal comes while this one's predecessor still holds.
    }
  }

  /// Tells what was committed since the last look.
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

  /// The file is another, or the list of observers has not held this store for a while: begins anew.
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

  /// Who ends all pauses knows better than the fetches of this process, too.
  private func tell(_ news: ObservationSession.News) {
    switch news {
    case .skipped(let count): hub.skip(count)
    case .change(let change):
      if change.kind == .resumed, change.collection == nil { evidence.forgetFailures(over: nil) }
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
      // The list of observers forgets a store that is silent.
    }
  }
}
