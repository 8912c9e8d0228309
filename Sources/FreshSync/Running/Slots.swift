internal import FreshStore
internal import Strategies
internal import Synchronization

/// Decides which work may begin now.
///
/// That depends on the availabilities of the sources, the limits of the run, and the turns of the kinds of work at a
/// trial.
struct Slots {
  private let store: Store
  private let progress: RunProgress
  private let trials: Trials
  private(set) var availabilities: AvailabilityTable
  /// The number of kinds that passed their turn at a trial in this look, because they have no pending work.
  private var passedTurns = 0
  /// True when all small bodies have had their turn at the trials of this look: a large body would be a long trial.
  private var admitsLarge = false
  /// True when some work left a trial to another kind.
  private(set) var hasYielded = false
  /// True when a large body left a trial to the small ones.
  private(set) var hasLargeYielded = false

  init(_ store: Store, _ progress: RunProgress, _ trials: Trials, at now: ClockReading) {
    self.store = store
    self.progress = progress
    self.trials = trials
    availabilities = AvailabilityTable(at: now)
  }

  /// Checks the sources anew.
  mutating func update(
    _ members: [ExactName: SyncedCollection], waiting: [RunProgress.Account],
    settlement: NetworkSettlement,
    at now: ClockReading
  ) throws(StoreError) {
    (admitsLarge, hasLargeYielded) = (false, false)
    try availabilities.update(
      members, waiting: waiting, inUse: progress.availabilitiesInUse, settlement: settlement,
      at: now)
  }

  /// Begins to hand out slots, after so many kinds without pending work.
  mutating func begin(afterPassed kinds: Int) { (passedTurns, hasYielded) = (kinds, false) }

  /// Lets large bodies make the trials for which no small body is pending.
  mutating func admitLarge() { admitsLarge = true }

  /// The origins of the records of those collections, without origins that are closed now.
  func openOrigins(_ members: [ExactName: SyncedCollection]) -> OriginOfRecord {
    let closed = availabilities.closed
    return { collection, address in
      guard let member = members[collection], let origin = member.origin(of: address) else {
        return nil
      }
      let account = RunProgress.Account(collection: collection, origin: origin)
      return closed.contains(member.availability(of: account)) ? nil : origin
    }
  }

  /// Adds the sources of a page. True when one of them is closed, so that the page has elements that cannot begin.
  mutating func add(
    _ sources: [(account: RunProgress.Account, address: String?)]
  ) throws(StoreError) -> Bool {
    var isAnyClosed = false
    for (account, address) in sources where try availabilities.add(account, address) {
      if availabilities.of(account)?.isOpen == false { isAnyClosed = true }
    }
    return isAnyClosed
  }

  /// Elements that begin together, with their reservation.
  struct Batch<Element: QueueElement> {
    let elements: [Element]
    let reservation: Reservation
  }

  /// The trial of an account; `nil` when it is not on trial.
  func trial(_ kind: Trials.Kind, of account: RunProgress.Account) -> Trials.Trial? {
    guard availabilities.of(account) == .trial else { return nil }
    return Trials.Trial(kind: kind, origin: availabilities.name(of: account).origin)
  }

  /// Takes the elements that may begin, in the order of the queue.
  mutating func choose<Element>(
    _ kind: Trials.Kind, from queue: inout FairQueue<Element>, in turn: inout Turn,
    batch: (RunProgress.Lane) -> Int
  ) -> [Batch<Element>] {
    var chosen: [Batch<Element>] = []
    var blocked: Set<RunProgress.Lane> = []
    while progress.free > 0, !turn.isHeldByRate,
      let lane = queue.first(
        besides: blocked, isOnTrial: { availabilities.of($0) == .trial })
    {
      let account = lane.account
      let name = availabilities.name(of: account)
      let availability = availabilities.of(account)
      if let reservation = reservation(kind, for: lane, under: name, availability, in: &turn) {
        let elements = queue.take(batch(lane), of: lane, forTrial: availability == .trial)
        chosen.append(Batch(elements: elements, reservation: reservation))
      } else {
        blocked.insert(lane)
      }
    }
    return chosen
  }

  /// A slot for one more job; `nil` when it may not begin.
  ///
  /// - Parameter name: The name of the source's availability.
  mutating func reservation(
    _ kind: Trials.Kind, for lane: RunProgress.Lane, under name: RunProgress.Account,
    _ availability: Availability?, in turn: inout Turn
  ) -> Reservation? {
    guard let availability, availability.isOpen, !turn.isHeldByRate,
      progress.pause(of: lane.account.origin, at: turn.now) == nil
    else { return nil }
    if availability == .trial {
      if lane.isLarge {
        guard admitsLarge else {
          hasLargeYielded = true
          return nil
        }
      } else if trials.turn(at: name.origin, after: passedTurns, in: store) != kind {
        hasYielded = true
        return nil
      }
    }
    switch progress.begin(
      lane, availability: name, under: availability, at: turn.now.steady)
    {
    case .granted(let reservation):
      return reservation
    case .full: return nil
    case .wait(let pause):
      turn.isHeldByRate = true
      turn.note(lookAfter: pause)
      return nil
    }
  }
}

/// The turns of the kinds of work at the trials of each origin.
///
/// Each kind has its turn, so that failing work does not keep another kind from finding out that the source is back.
/// Records with one availability share its turns: the origin is the availability's, not each record's.
///
/// The turns outlive a run. A new process derives them from the store's count of the origin's failures. So every kind
/// has its turn in many short runs, too.
final class Trials: Sendable {
  /// One attempt to find out whether a source is back.
  struct Trial: Sendable {
    let kind: Kind
    /// The origin of the availability.
    let origin: String
  }

  /// The kinds of work, in the order of their turns.
  enum Kind: Int, CaseIterable {
    case write, list, record
  }

  private let turns = Mutex<[ExactName: Int]>([:])

  /// The kind whose turn it is at an origin, after so many kinds without pending work.
  func turn(at origin: String, after passed: Int, in store: Store) -> Kind {
    let name = ExactName(origin)
    let turn = turns.withLock { $0[name] } ?? failures(of: origin, in: store)
    return Self.kind(at: turn, after: passed)
  }

  /// - Parameter turn: Any number, as a file may hold any.
  static func kind(at turn: Int, after passed: Int) -> Kind {
    let count = Kind.allCases.count
    return Kind.allCases[(turn % count + count + passed) % count]
  }

  /// Notes that a trial was made.
  func note(_ trial: Trial) {
    turns.withLock { $0[ExactName(trial.origin)] = trial.kind.rawValue + 1 }
  }

  private func failures(of origin: String, in store: Store) -> Int {
    do throws(StoreError) {
      return try store.failures(of: origin)
    } catch {
      // The first kind begins then; the next operation reports the store's failure.
      return 0
    }
  }
}
