#if CommandLine
  internal import FreshFleet
  internal import FreshStore
  internal import Synchronization

  /// Notes about the fleet during a run, for messages and answers.
  final class FleetNotes: Sendable {
    private struct State {
      /// The first failure of an outage.
      var failure: SharedTierError?
      /// The codes of lasting errors that were already reported.
      var told: Set<SharedTierError.Code> = []
      /// The marks that were kept before this run and are not delivered yet.
      var left = 0
      /// True after a report of overdue marks, until the report that none is left.
      var hasToldOfOverdue = false
      /// The records that the run asks for.
      var followed: Set<RecordID> = []
      /// The host that fetched each record that came from the fleet.
      var owners: [RecordID: String] = [:]
    }

    private let client: FleetClient
    private let isQuiet: Bool
    private let isLasting: Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - isQuiet: True when another part reports a failure.
    ///   - isLasting: True for a program that keeps running. It reports outages, and not single calls.
    init(_ client: FleetClient, isQuiet: Bool, isLasting: Bool) {
      (self.client, self.isQuiet, self.isLasting) = (client, isQuiet, isLasting)
    }

    /// The reason why the host went on without the fleet; `nil` when it did not.
    var failure: SharedTierError? { state.withLock { $0.failure } }

    /// The marks that were kept before this run and are not delivered yet.
    var left: Int { state.withLock { $0.left } }

    /// Notes the start of the work: an earlier failure is no failure of the work.
    func noteBeginning(left: Int) {
      state.withLock { state in (state.left, state.failure) = (left, nil) }
    }

    // MARK: Records

    /// Notes from now on whether these records come from the fleet.
    func follow(_ records: [RecordID]) {
      state.withLock { $0.followed.formUnion(records) }
    }

    /// The host that fetched the fleet's copy of a record; `nil` when the fleet had none.
    func owner(of record: RecordID) -> String? { state.withLock { $0.owners[record] } }

    // MARK: Reach

    /// Notes an event. Returns true when no other part has to report it.
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

    /// Checks whether an outage has begun or ended. A program that keeps running reports both.
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

    /// Reports once that marks are overdue, and once that none is any more.
    func tell(of overdue: FleetStanding.Overdue?) {
      let isNews = state.withLock { state in
        defer { state.hasToldOfOverdue = overdue != nil }
        return state.hasToldOfOverdue != (overdue != nil)
      }
      guard isNews else { return }
      Console.note("the fleet: \(overdue?.words ?? "no mark waits for delivery any longer")")
    }

    /// Reports an outage, once. Returns false when another part has to report the error.
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
      // A quiet verb ends with the failure, or reports it with its result.
      guard telling == .now, !isQuiet else { return telling != .byOthers }
      Console.note("going on without the fleet: \(CommandFailure.words(of: error))")
      return true
    }
  }

  /// Notes the events of a store, and passes on those that still have to be reported.
  struct FleetReporter: Reporter {
    let notes: FleetNotes
    let next: (any Reporter)?

    func report(_ event: StoreEvent) {
      if !notes.take(event) { next?.report(event) }
    }
  }
#endif
