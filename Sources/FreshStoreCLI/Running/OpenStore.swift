#if CommandLine
  internal import FreshStore
  internal import Platform
  internal import Strategies

  /// A store that is open while a body runs.
  enum OpenStore {
    /// Opens the store, runs the body and closes the store, however the body ends. A missing store
    /// is created, unless it must exist.
    ///
    /// - Parameters:
    ///   - fleet: The part that the run takes in a fleet.
    ///   - tellsOfDamage: False where the body itself tells that the store was damaged while it was open; else that is
    ///     told at its end.
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
      let movedBefore = store.health.movedAside
      tell(movedBefore)
      if configuration.access == .readOnly, !store.unsalvaged.isEmpty {
        Console.note(
          "local writes wait in \(store.unsalvaged.joined(separator: ", ")), which was moved aside "
            + "damaged; the next get, put or sweep takes them over, or says what it cannot read")
      }
      defer {
        if tellsOfDamage { tell(store.health.movedAside.dropFirst(movedBefore.count)) }
      }
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

    private static func tell(_ movedAside: some Sequence<String>) {
      for aside in movedAside {
        Console.note("the store was damaged; it was moved to \(aside) and a new one was begun")
      }
    }

    /// Opens the store for reading alone: it is not created, not changed and not repaired. In a fleet it takes
    /// in what others have marked, if this user can write it.
    static func read<Result>(
      _ options: StoreOptions, fleet: FleetRun? = nil,
      configure: (inout Configuration) -> Void = { _ in },
      _ body: (Store) async throws -> Result
    ) async throws -> Result {
      let path = try options.path ?? DefaultPath.find()
      let isWritten = fleet != nil && Descriptor.isWritable(path)
      if fleet != nil, !isWritten, Descriptor.exists(path) {
        Console.note("\(path) cannot be written by this user: the fleet's marks are not taken in")
      }
      return try await use(
        options, mustExist: true, fleet: isWritten ? fleet : nil,
        configure: { configuration in
          if !isWritten { configuration.access = .readOnly }
          configure(&configuration)
        }, body)
    }

    /// The same, but a missing store counts as empty, and the body gets `nil`. A missing folder
    /// that was named is still an error.
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
#endif
