#if CommandLine
  internal import FreshFleet
  internal import FreshStore
  internal import Strategies

  /// The part of one run in a fleet. Only this type makes the shared tier of a store.
  struct FleetRun: Sendable {
    /// The step before the work.
    enum Beginning: Sendable {
      /// Delivers the kept marks, and applies the marks of other hosts.
      case applyingMarks
      /// Does the same if marks were kept: they go before the next mark.
      case deliveringMarks
      case nothing
    }

    let client: FleetClient
    let notes: FleetNotes
    private let options: FleetOptions
    private let beginning: Beginning
    /// The time that the beginning may take: for the first reply, and for the marks that it brings.
    private let longestBeginning: Duration
    private let staysOpen: Bool

    /// `nil` when no fleet is named.
    ///
    /// - Parameters:
    ///   - staysOpen: True for a program that keeps running; false for one that asks a few times and ends.
    ///   - beginning: The step before the work.
    ///   - isQuiet: True when the verb reports a failure of the fleet.
    init?(
      _ option: FleetOption, _ options: FleetOptions, staysOpen: Bool = false,
      beginning: Beginning = .applyingMarks, isQuiet: Bool = false
    ) throws(CommandFailure) {
      guard let address = option.address else { return nil }
      // Verbs with another beginning make marks.
      let patience = beginning == .applyingMarks ? FleetPatience.asking : .marking
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

    /// Makes a store a member of the fleet.
    func apply(to configuration: inout Configuration) {
      configuration.sharedTier = client
      configuration.fleet = options
      configuration.reporter = FleetReporter(notes: notes, next: configuration.reporter)
    }

    /// Does the step before the work.
    ///
    /// Without a reply the host goes on alone, and the notes report it. The work does not wait for the rest of a long
    /// absence. Copies that the rest may cover are not served as fresh.
    func begin(with store: Store) async {
      switch beginning {
      case .nothing: break
      case .applyingMarks:
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
        // The work reports the failure.
        return 0
      }
    }

    /// Returns false when the time was over before everything was applied.
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
            // The synchronization has ended.
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

    /// The reason why a mark of this run was kept for later delivery; `nil` when it was not kept.
    func keptMark(in store: Store) throws(StoreError) -> SharedTierError? {
      // The fleet may also fail after the mark was made, and other marks may be left from before.
      guard let failure = notes.failure else { return nil }
      let kept = try store.quickStatistics().work.keptMarks
      // A count at its limit cannot show one more mark.
      return kept > notes.left || kept >= QuickStatistics.limit ? failure : nil
    }

    /// Reports that the other hosts do not know of a mark yet, and when they will.
    static func tell(ofKeptMark failure: SharedTierError) {
      Console.note(
        "the fleet does not know of the mark yet: \(CommandFailure.words(of: failure)); the next get, "
          + "mark, sweep or sync run with --fleet that reaches it delivers it")
    }

    /// Reports the consequence of a missing fleet name, for a store that belongs to a fleet.
    static func tellOfNoName(_ consequence: String) {
      Console.note(
        "this store belongs to a fleet, and none is named: \(consequence); name it by "
          + "--fleet or \(FleetAddress.variable), or say that there is none by --fleet ''")
    }

    /// Follows the fleet until it is cancelled: reports outages and their ends, and notes contact in the file now and
    /// then.
    ///
    /// While no call is made, only the client knows of an outage.
    func follow(with store: Store) -> Task<Void, Never> {
      Task {
        var noted = ContinuousClock.now
        while true {
          notes.look()
          // The work reports a store that cannot be read.
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

    /// Call this after the store is closed.
    func end() { client.close() }
  }
#endif
