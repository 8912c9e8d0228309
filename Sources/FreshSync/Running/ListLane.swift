internal import FreshStore
internal import Strategies

/// The followed lists, and those of them that begin now.
struct ListLane {
  private let store: Store
  private let following: Following
  private let once: Bool

  /// - Parameter once: True for a run that ends when all is done.
  init(_ store: Store, once: Bool) {
    self.store = store
    self.once = once
    following = Following(once: once)
  }

  func follow(
    _ lists: [SyncedList], settling: Settling, _ places: inout Places, in turn: inout Turn
  ) throws(StoreError) {
    let now = turn.now
    var availabilities: [(String, Availability)] = []
    var waiting: [(list: SyncedList, availability: Availability, due: Timestamp)] = []
    for list in lists {
      let availability = Availability(
        try list.sourceState(), at: now, settling: list.followsNetwork ? settling : .done)
      availabilities.append((list.account.origin, availability))
      guard following.isFree(list.name) else { continue }
      let standing = try list.standing()
      guard let due = standing.due else { continue }
      // Due work is due at the moment of the question, which is later than the turn's.
      guard due <= store.configuration.clock.reading().wall else {
        if !once { turn.note(due: due) }
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
        let place = places.place(
          .list, for: RunProgress.Lane(account: list.account, isLarge: false), under: list.account,
          availability, in: &turn)
      else { continue }
      let followed = following.begin(list.name)
      turn.jobs.append(
        SyncJob(
          account: list.account, place: place,
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
  /// How an update has left the list; `nil` when somebody has asked for another one meanwhile, or nobody
  /// knows.
  fileprivate func left(by end: JobEnd) -> ListStanding? {
    guard !end.isOvertaken else { return nil }
    do throws(StoreError) {
      return try standing()
    } catch {
      // The store is left alone for a while, and asked again.
      return nil
    }
  }
}
