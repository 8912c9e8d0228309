#if CommandLine
  internal import FreshFleet
  internal import FreshStore
  internal import Strategies

  /// One run's part in a fleet: the one place that makes the shared tier of a store.
  struct FleetRun: Sendable {
    /// What is done before the work.
    enum Beginning: Sendable {
      /// The marks that were kept are delivered, and what other hosts have marked is taken in.
      case takingInMarks
      /// If marks were kept, the same: they go before the next one.
      case deliveringMarks
      case nothing
    }

    let client: FleetClient
    /// What the fleet does in this run.
    let notes: FleetNotes
    private let options: FleetOptions
    private let beginning: Beginning
    /// How long the beginning may take: its first answer, and what it brings.
    private let longestBeginning: Duration
    private let staysOpen: Bool

    /// `nil` where no fleet is named.
    ///
    /// - Parameters:
    ///   - staysOpen: True for a program that stays, and false for one that asks a few times and ends.
    ///   - beginning: What is done before the work.
    ///   - isQuiet: True where a failure of the fleet is told by the verb.
    init?(
      _ option: FleetOption, _ options: FleetOptions, staysOpen: Bool = false,
      beginning: Beginning = .takingInMarks, isQuiet: Bool = false
    ) throws(CommandFailure) {
      guard let address = option.address else { return nil }
      // The others mark.
      let patience = beginning == .takingInMarks ? FleetPatience.asking : .marking
      do throws(SharedTierError) {
        client =
          try staysOpen
          ? option.lastingClient(of: address) : option.briefClient(of: address, patience)
      } catch {
        throw CommandFailure(error)
      }
      notes = FleetNotes(client, isQuiet: isQuiet, isLasting: staysOpen)
      (self.options, self.beginning, self.staysOpen) = (options, beginning, staysOpen)
      longestBeginning = option.limit(patience) + option.longestNews
    }

    /// Has a store be one of the fleet's.
    func apply(to configuration: inout Configuration) {
      configuration.sharedTier = client
      configuration.fleet = options
      configuration.reporter = FleetReporter(notes: notes, next: configuration.reporter)
    }

    /// Does what comes before the work. Without an answer that goes on alone, which the notes tell; what is left of a
    /// long absence is not waited for, and what it may cover is not served as fresh.
    func begin(with store: Store) async {
      switch beginning {
      case .nothing: break
      case .takingInMarks:
        let isWhole = await synchronizeInTime(store)
        guard !isWhole, !staysOpen else { return }
        Console.note(
          "not all marks of the fleet were taken in within \(longestBeginning.brief): until they are, copies "
            + "from before count as stale")
      case .deliveringMarks:
        guard keptMarks(in: store) > 0 else { return }
        _ = await synchronizeInTime(store)
        notes.noteBeginning(left: keptMarks(in: store))
      }
    }

    private func keptMarks(in store: Store) -> Int {
      do throws(StoreError) {
        return try store.quickStatistics().work.keptMarks
      } catch {
        // The work will tell.
        return 0
      }
    }

    /// False where time was up before everything was taken in.
    private func synchronizeInTime(_ store: Store) async -> Bool {
      await withTaskGroup(of: Bool.self) { group in
        group.addTask {
          await synchronize(store)
          return true
        }
        group.addTask {
          do {
            try await ContinuousClock().sleep(for: longestBeginning)
            return false
          } catch {
            // It has come to its end.
            return true
          }
        }
        defer { group.cancelAll() }
        return await group.next() ?? true
      }
    }

    private func synchronize(_ store: Store) async {
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
      // After the mark was made the fleet may fail as well, and others may be left from before.
      guard let failure = notes.failure else { return nil }
      let kept = try store.quickStatistics().work.keptMarks
      // Of so many nobody can tell whether there is one more.
      return kept > notes.left || kept >= QuickStatistics.limit ? failure : nil
    }

    /// Says that the other hosts do not know of a mark yet, and when they will.
    static func tell(ofKeptMark failure: SharedTierError) {
      Console.note(
        "the fleet does not know of the mark yet: \(CommandFailure.words(of: failure)); the next get, "
          + "mark, sweep or sync run with --fleet that reaches it delivers it")
    }

    /// Says what follows from it that no fleet is named, although the store belongs to one.
    static func tellOfNoName(_ consequence: String) {
      Console.note(
        "this store belongs to a fleet, and none is named: \(consequence); name it by "
          + "--fleet or \(FleetAddress.variable), or say that there is none by --fleet ''")
    }

    /// Tells of outages and of their ends, and notes now and then in the file that the fleet has answered, until it
    /// is cancelled. While nothing is asked only the client knows of an outage.
    func follow(with store: Store) -> Task<Void, Never> {
      Task {
        var noted = ContinuousClock.now
        while true {
          notes.look()
          // A store that cannot be read is told of elsewhere.
          // A store that cannot be read is told of by what reads it.
          if let standing = try? store.fleetStanding() { notes.tell(of: standing.overdue) }
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
