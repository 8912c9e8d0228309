#if CommandLine
  internal import FreshFleet
  internal import FreshStore
  internal import Synchronization

  /// What the fleet has done in a run, for messages and answers.
  final class FleetNotes: Sendable {
    private struct State {
      /// The first failure of an outage.
      var failure: SharedTierError?
      /// What the tier has answered calls with, and what does not end by itself.
      var told: Set<SharedTierError.Code> = []
      /// The marks that were kept before this run, and are not delivered.
      var left = 0
      /// True from a line about marks that wait for too long until the one about their end.
      var hasToldOfOverdue = false
      /// The records that are asked for.
      var followed: Set<RecordID> = []
      /// The hosts that those come from which the fleet had.
      var owners: [RecordID: String] = [:]
    }

    private let client: FleetClient
    private let isQuiet: Bool
    private let isLasting: Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - isQuiet: True where a failure is told elsewhere.
    ///   - isLasting: True for a program that stays: it tells of outages, and not of single calls.
    init(_ client: FleetClient, isQuiet: Bool, isLasting: Bool) {
      (self.client, self.isQuiet, self.isLasting) = (client, isQuiet, isLasting)
    }

    /// The reason why the host has gone on alone; `nil` while it has not.
    var failure: SharedTierError? { state.withLock { $0.failure } }

    /// The marks that were kept before this run, and are not delivered.
    var left: Int { state.withLock { $0.left } }

    /// Notes that the work begins: what failed before it is none of its failures.
    func noteBeginning(left: Int) {
      state.withLock { state in (state.left, state.failure) = (left, nil) }
    }

    // MARK: Records

    /// Notes from now on whether these come from the fleet.
    func follow(_ records: [RecordID]) {
      state.withLock { $0.followed.formUnion(records) }
    }

    /// The host that had fetched the record which the fleet had; `nil` where it had none.
    func owner(of record: RecordID) -> String? { state.withLock { $0.owners[record] } }

    // MARK: Reach

    /// Notes an event; true where nobody else has to tell of it.
    func take(_ event: StoreEvent) -> Bool {
      switch event {
      case .foundInFleet(let collection, let key, let owner):
        let record = RecordID(collection, key)
        state.withLock { state in
          if state.followed.contains(record) { state.owners[record] = owner }
        }
        return false
      case .wentAlone(let error): return tell(of: error)
      default: return false
      }
    }

    /// Looks whether an outage has begun or ended, which a program that stays tells.
    func look() {
      switch client.reach {
      case .unknown: break
      case .outOfReach(let error): _ = tell(of: error)
      case .reached:
        let wasAlone = state.withLock { state in
          defer { state.failure = nil }
          return state.failure != nil
        }
        if wasAlone { Console.note("the fleet is in reach again") }
      }
    }

    /// Tells of marks that wait for too long, and that none does any more, once each.
    func tell(of overdue: FleetStanding.Overdue?) {
      let isNews = state.withLock { state in
        defer { state.hasToldOfOverdue = overdue != nil }
        return state.hasToldOfOverdue != (overdue != nil)
      }
      guard isNews else { return }
      Console.note("the fleet: \(overdue?.words ?? "no mark waits for delivery any longer")")
    }

    /// Tells of an outage, once; false where somebody else has to tell of the error.
    private func tell(of error: SharedTierError) -> Bool {
      let reach = client.reach
      enum Telling { case now, done, byOthers }
      let telling = state.withLock { state -> Telling in
        if isLasting {
          if error.code == .noRights || error.code == .full {
            return state.told.insert(error.code).inserted ? .now : .byOthers
          }
          guard case .outOfReach = reach else { return .byOthers }
        }
        defer { state.failure = state.failure ?? error }
        return state.failure == nil ? .now : .done
      }
      // A verb that is quiet about it ends with the failure, or tells it with its result.
      guard telling == .now, !isQuiet else { return telling != .byOthers }
      Console.note("going on without the fleet: \(CommandFailure.words(of: error))")
      return true
    }
  }

  /// Keeps notes of what a store reports, and passes the rest on.
  struct FleetReporter: Reporter {
    let notes: FleetNotes
    let next: (any Reporter)?

    func report(_ event: StoreEvent) {
      if !notes.take(event) { next?.report(event) }
    }
  }
#endif
