#if CommandLine
  internal import FreshFleet
  internal import FreshStore

  /// One run's part in a fleet: the one place that makes the shared tier of a store.
  struct FleetRun: Sendable {
    let client: FleetClient
    /// What the fleet does in this run.
    let notes: FleetNotes
    private let options: FleetOptions
    private let takesInMarks: Bool

    /// `nil` where no fleet is named.
    ///
    /// - Parameters:
    ///   - staysOpen: True for a program that stays, and false for one that asks a few times and ends.
    ///   - takesInMarks: True where what other hosts have marked counts before the work begins.
    ///   - isQuiet: True where a failure of the fleet is told by the verb.
    init?(
      _ option: FleetOption, _ options: FleetOptions, staysOpen: Bool = false,
      takesInMarks: Bool = true, isQuiet: Bool = false
    ) throws(CommandFailure) {
      guard let address = option.address else { return nil }
      do throws(SharedTierError) {
        client =
          try staysOpen ? option.lastingClient(of: address) : option.briefClient(of: address)
      } catch {
        throw CommandFailure(error)
      }
      notes = FleetNotes(client, isQuiet: isQuiet, isLasting: staysOpen)
      (self.options, self.takesInMarks) = (options, takesInMarks)
    }

    /// Has a store be one of the fleet's.
    func apply(to configuration: inout Configuration) {
      configuration.sharedTier = client
      configuration.fleet = options
      configuration.reporter = FleetReporter(notes: notes, next: configuration.reporter)
    }

    /// Takes in what other hosts have marked, and delivers the marks that were kept. Without an answer the work
    /// goes on alone, which the notes tell.
    func begin(with store: Store) async {
      guard takesInMarks else { return }
      do throws(StoreError) {
        try await store.takeInFleetMarks()
      } catch {
        switch error.code {
        case .sharedTier, .cancelled, .closed: break
        default: Console.note("the fleet's marks were not taken in: \(error)")
        }
      }
    }

    /// The reason why a mark of this run was kept and is delivered later; `nil` where it was not.
    func keptMark(in store: Store) throws(StoreError) -> SharedTierError? {
      // After the mark was made the fleet may fail as well.
      guard let failure = notes.failure, try store.quickStatistics().work.keptMarks > 0 else {
        return nil
      }
      return failure
    }

    /// Says that the other hosts do not know of a mark yet, and when they will.
    static func tell(ofKeptMark failure: SharedTierError) {
      Console.note(
        "the fleet does not know of the mark yet: \(CommandFailure.words(of: failure)); the next get, "
          + "sweep or sync run with --fleet that reaches it delivers it")
    }

    /// Tells of outages and of their ends, and notes now and then in the file that the fleet has answered, until it
    /// is cancelled. While nothing is asked only the client knows of an outage.
    func follow(with store: Store) -> Task<Void, Never> {
      Task {
        var noted = ContinuousClock.now
        while true {
          notes.look()
          do {
            try await ContinuousClock().sleep(for: .seconds(1))
          } catch {
            return
          }
          guard ContinuousClock.now - noted >= .seconds(60) else { continue }
          noted = ContinuousClock.now
          await begin(with: store)
        }
      }
    }

    /// Call it once the store is closed.
    func end() { client.close() }
  }
#endif
