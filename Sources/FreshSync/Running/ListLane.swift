internal import FreshStore
internal import Strategies
internal import Synchronization

/// The followed lists, and the choice of those that begin now.
struct ListLane {
  private let store: Store
  private let following: FollowedLists

  /// - Parameter once: True for a run that ends when all is done.
  init(_ store: Store, once: Bool) {
    self.store = store
    following = FollowedLists(once: once)
  }

  func follow(
    _ lists: [SyncedList], settlement: NetworkSettlement, _ slots: inout Slots, in turn: inout Turn
  ) throws(StoreError) {
    let now = turn.now
    var availabilities: [(String, Availability)] = []
    var waiting: [(list: SyncedList, availability: Availability, due: Timestamp)] = []
    for list in lists {
      let availability = Availability(
        try list.sourceState(), at: now, settlement: list.followsNetwork ? settlement : .done)
      availabilities.append((list.account.origin, availability))
      guard following.isFree(list.name) else { continue }
      let standing = try list.standing()
      guard let due = standing.due else { continue }
      // A list may have fallen due since the turn began.
      guard due <= store.configuration.clock.reading().wall else {
        if !following.once { turn.note(due: due) }
        continue
      }
      if let rest = following.rest(of: list.name, at: now.steady, standing) {
        turn.note(due: now.wall.advanced(by: rest))
        continue
      }
      waiting.append((list, availability, due))
    }
    turn.note(availabilities)
    for (list, availability, _) in waiting.sorted(by: { $0.due < $1.due }) {
      guard
        let reservation = slots.reservation(
          .list, for: RunProgress.Lane(account: list.account, isLarge: false), under: list.account,
          availability, in: &turn)
      else { continue }
      let followed = following.begin(list.name)
      turn.jobs.append(
        SyncJob(
          account: list.account, reservation: reservation,
          trial: availability == .trial
            ? Trials.Trial(kind: .list, origin: list.account.origin) : nil,
          sourceState: list.sourceState
        ) {
          [following, clock = store.configuration.clock] in
          let end = await list.follow()
          following.noteEnd(of: list.name, at: clock.reading().steady, list.left(by: end))
          followed.end()
          return end
        })
    }
  }
}

extension SyncedList {
  /// The state in which an update has left the list; `nil` when somebody has asked for another one meanwhile, or when
  /// the state is unknown.
  fileprivate func left(by end: JobEnd) -> ListStanding? {
    guard !end.isOvertaken else { return nil }
    do throws(StoreError) {
      return try standing()
    } catch {
      // The store pauses, and is then asked again.
      return nil
    }
  }
}

/// The lists that are being followed, and the end of each list's last update here, on the boot clock.
final class FollowedLists: Sendable {
  private struct End {
    let at: Duration
    let left: ListStanding
  }

  private struct State {
    var now: Set<SyncedList.Name> = []
    var ends: [SyncedList.Name: End] = [:]
    var ended: Set<SyncedList.Name> = []
  }

  /// The shortest time between two updates of a list whose answer expires at once, or that fails without a pause.
  private static let shortestInterval = Duration.seconds(1)

  private let state = Mutex(State())
  /// True for a run that follows each list once.
  let once: Bool

  init(once: Bool) {
    self.once = once
  }

  /// False while a list is being followed. With ``once`` it stays false afterwards.
  func isFree(_ name: SyncedList.Name) -> Bool {
    state.withLock { state in
      !state.now.contains(name) && !(once && state.ended.contains(name))
    }
  }

  /// The rest of a list's pause after its last update; `nil` when the list may be followed. That is when the pause is
  /// over, or somebody has asked for the list since.
  func rest(of name: SyncedList.Name, at now: Duration, _ standing: ListStanding) -> Duration? {
    state.withLock { state in
      guard let end = state.ends[name], !standing.isAskedFor(since: end.left) else { return nil }
      let rest = end.at + Self.shortestInterval - now
      return rest > .zero ? rest : nil
    }
  }

  /// Reserves the list until the reservation ends.
  func begin(_ name: SyncedList.Name) -> Reservation {
    state.withLock { _ = $0.now.insert(name) }
    return Reservation { [self] in state.withLock { _ = $0.now.remove(name) } }
  }

  /// Notes that an update has ended, and how it left the list; with `nil` the list has no pause.
  func noteEnd(of name: SyncedList.Name, at now: Duration, _ left: ListStanding?) {
    state.withLock { state in
      state.ended.insert(name)
      state.ends[name] = left.map { End(at: now, left: $0) }
    }
  }
}
