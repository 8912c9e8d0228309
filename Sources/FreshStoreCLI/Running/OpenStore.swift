#if CommandLine
  internal import FreshStore
  internal import Platform
  internal import Strategies

  /// Opens a store while a body runs.
  enum OpenStore {
    /// Opens the store, runs the body and closes the store, even when the body throws. A missing store is created,
    /// unless it must exist.
    ///
    /// - Parameters:
    ///   - fleet: The part of the run in a fleet.
    ///   - tellsOfDamage: False when the body itself reports damage during its run; otherwise this reports it at the
    ///     end.
    static func use<Result>(
      _ options: StoreOptions, mustExist: Bool = false, fleet: FleetRun? = nil,
      tellsOfDamage: Bool = true,
      configure: (inout Configuration) -> Void = { _ in },
      _ body: (Store) async throws -> Result
    ) async throws -> Result {
      let start = ContinuousClock.now
      let path = try options.path ?? (mustExist ? DefaultPath.find() : DefaultPath.make())
      var configuration = Configuration()
      if options.verbose { configuration.reporter = VerboseReporter() }
      configure(&configuration)
      fleet?.apply(to: &configuration)
      let isMade = !mustExist && configuration.access == .readWrite
      if !isMade, !path.isEmpty, !Descriptor.exists(path) {
        throw CommandFailure(
          .store,
          "there is no store at \(path); freshstore get or put makes one, --db names another")
      }
      let store = try Store(path: path, configuration: configuration)
      let before = store.health
      tell(before, store.path)
      let waiting = Set(store.unsalvaged + store.unsalvagedValues).sorted()
      if !waiting.isEmpty {
        Console.note(
          "values and local writes may wait in \(waiting.joined(separator: ", ")), which was moved aside damaged; "
            + (configuration.access == .readOnly
              ? "the next get, put or sweep takes them over, or says what it cannot read"
              : "they are taken over once there is room"))
      }
      defer { if tellsOfDamage { tell(store.health, since: before, store.path) } }
      defer { fleet?.end() }
      do {
        await fleet?.begin(with: store)
        let result = try await body(store)
        await close(store)
        if options.verbose {
          Console.note("done in \((ContinuousClock.now - start).brief), with \(store.path)")
        }
        return result
      } catch {
        await close(store)
        throw error
      }
    }

    private static func tell(
      _ health: StoreHealth, since before: StoreHealth? = nil, _ path: String
    ) {
      for aside in health.movedAside.dropFirst(before?.movedAside.count ?? 0) {
        Console.note("the store was damaged; it was moved to \(aside) and a new one was begun")
      }
      let values = health.salvagedValues - (before?.salvagedValues ?? 0)
      let writes = health.salvagedWrites - (before?.salvagedWrites ?? 0)
      if values > 0 || writes > 0 {
        Console.note(
          "taken over from it: values that no source can give again: \(values), local writes: \(writes)"
        )
      }
      for aside in health.partlyRead.dropFirst(before?.partlyRead.count ?? 0) {
        Console.note(
          "parts of \(aside) cannot be read, and may have more such values; keep it: "
            + RecoveryAdvice.steps(for: aside, into: path))
      }
    }

    /// Opens the store for reading only. It is not created and not changed, with two exceptions if this user can
    /// write it.
    ///
    /// - In a fleet the store applies the marks of other hosts.
    /// - A damaged file is moved aside, as a get would do.
    ///
    /// - Parameter heals: False to leave a damaged file where it is.
    static func read<Result>(
      _ options: StoreOptions, fleet: FleetRun? = nil, heals: Bool = true,
      configure: (inout Configuration) -> Void = { _ in },
      _ body: (Store) async throws -> Result
    ) async throws -> Result {
      let path = try options.path ?? DefaultPath.find()
      let isWritten = fleet != nil && Descriptor.isWritable(path)
      if fleet != nil, !isWritten, Descriptor.exists(path) {
        Console.note("\(path) cannot be written by this user: the fleet's marks are not taken in")
      }
      do {
        return try await use(
          options, mustExist: true, fleet: isWritten ? fleet : nil,
          configure: { configuration in
            if !isWritten { configuration.access = .readOnly }
            configure(&configuration)
          }, body)
      } catch {
        let isDamage =
          (error as? StoreError)?.code == .damaged || (error as? CommandFailure)?.isDamage == true
        guard heals, isDamage, Descriptor.isWritable(path), try await heal(options) else {
          throw error
        }
        throw CommandFailure(
          .store, "the damage has ended this, and what was printed is not all; run it again")
      }
    }

    /// Moves a file with a damaged structure aside, and reports it. Returns true when it did.
    @discardableResult
    static func heal(_ options: StoreOptions) async throws -> Bool {
      try await use(options, mustExist: true) { store in
        // Opening the store may have met the damage.
        guard store.health.movedAside.isEmpty else { return true }
        return try await store.replaceIfDamaged()
      }
    }

    /// Opens the store for reading only. For a missing store the body gets `nil`; a missing folder that was named is
    /// still an error.
    static func readIfThere<Result>(
      _ options: StoreOptions, fleet: FleetRun? = nil,
      configure: (inout Configuration) -> Void = { _ in },
      _ body: (Store?) async throws -> Result
    ) async throws -> Result {
      let path = try options.path ?? DefaultPath.find()
      let hasPlace = options.path == nil || Descriptor.exists(PathName.split(path).folder)
      guard !path.isEmpty, hasPlace, Descriptor.isMissing(path) else {
        return try await read(options, fleet: fleet, configure: configure, body)
      }
      if options.path != nil { Console.note("there is no store at \(path) yet") }
      return try await body(nil)
    }

    private static func close(_ store: Store) async {
      do throws(StoreError) {
        try await store.close()
      } catch {
        Console.note("\(error)")
      }
    }
  }

  /// Reports the store's work for `--verbose`.
  struct VerboseReporter: Reporter {
    /// True for work on many records: the messages name them.
    var namesRecords = false

    func report(_ event: StoreEvent) {
      switch event {
      case .decided(let decision):
        note([decision.key], "decided: \(decision)")
      case .fetchBegan(_, let keys):
        note(keys, "fetching")
      case .fetchEnded(_, let keys, let duration, let failure):
        note(
          keys,
          failure.map { "the fetch failed after \(duration.brief): \($0)" }
            ?? "fetched in \(duration.brief)")
      case .notStored(let error):
        Console.note("not stored: \(error)")
      case .waitedForLease(_, _, let owner):
        Console.note("waiting for \(owner), who is fetching it")
      case .wentAlone(let error):
        Console.note("the fleet is out of reach: \(error)")
      case .refusedFleetMark(let mark):
        Console.note("the fleet refuses a mark that was kept for it: \(mark.refusal)")
      case .foundInFleet(_, let key, let owner):
        note([key], "found in the fleet, from \(owner)")
      case .tookFleetMarks, .swept, .pruned, .pushed, .deferred, .parked, .rewritten, .discarded,
        .unrestored:
        break
      }
    }

    private func note(_ keys: [String], _ words: String) {
      guard namesRecords, let key = keys.first else { return Console.note(words) }
      let more = keys.count > 1 ? " and \(keys.count - 1) more" : ""
      Console.note("\(Console.quoted(key: key))\(more): \(words)")
    }
  }

  /// The advice for the recovery of a damaged file.
  enum RecoveryAdvice {
    /// The commands that bring the readable content of a file that was moved aside into the store.
    static func steps(for aside: String, into store: String) -> String {
      "`freshstore recover \(quoted(aside)) NEW` makes a store of all that can be read, and `freshstore "
        + "export --db NEW | freshstore import --db \(quoted(store))` brings its records in; nothing more is in it then"
    }

    /// A path, quoted as one word for a shell.
    private static func quoted(_ path: String) -> String {
      path.allSatisfy { $0.isLetter || $0.isNumber || "-._/+:@".contains($0) }
        ? path : "'" + path.replacing("'", with: "'\\''") + "'"
    }
  }
#endif
