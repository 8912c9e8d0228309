#if CommandLine
  internal import FreshStore
  internal import Rules
  internal import Strategies

  /// One get under way.
  struct Getting: Sendable {
    let name: RecordName
    let policy: Policy
    let store: Store
    let origin: GetSource
    let gate: AdmissionGate
    /// True when a program that is started later can read the named files.
    let canStartAgain: Bool

    /// The way the answer is shown.
    struct Display: Sendable {
      let isJSON: Bool
      let isVerbose: Bool
      let failsOnStale: Bool
    }

    /// Gets the value and prints it; starts the refresh behind it where one is needed.
    func print(_ display: Display) async throws {
      let start = ContinuousClock.now
      let collection = try gate.bytes(name.collection, in: store, policy: policy)
      let answer: Answer<[UInt8]>
      do throws(GetError) {
        answer = try await collection.get(name.key) { try await origin.fetch($0) }
      } catch {
        if display.isJSON { try StandardOutput.json(error.fields) }
        throw CommandFailure(error)
      }
      let written = Result { () throws(CommandFailure) in
        if display.isJSON {
          try StandardOutput.json(answer.fields(in: name.collection))
        } else {
          try StandardOutput.value(answer.value)
        }
      }
      if let warning = answer.warning { Console.note(warning) }
      if let failure = answer.storeFailure { Console.note("the value was not kept: \(failure)") }
      if display.isVerbose {
        Console.note("\(answer.freshness.rawValue), in \((ContinuousClock.now - start).brief)")
      }
      if answer.needsRefresh, !isUnderWay(in: collection) {
        try await canStartAgain ? BackgroundRefresh.start() : refreshHere(in: collection)
      }
      try written.get()
      if display.failsOnStale, answer.freshness.isStale { throw CommandFailure(.servedStale) }
    }

    /// Makes the record fresh before this process ends. The copy has been served: if it stays
    /// stale, that is reported, and is no failure.
    private func refreshHere(in collection: RecordCollection<[UInt8]>) async throws {
      let failure: String?
      do throws(GetError) {
        let answer = try await collection.renew(name.key) { try await origin.fetch($0) }
        failure = answer.fetchFailure?.message
      } catch {
        // The exit code of a signal is enough.
        try Task.checkCancellation()
        // Without the object there is no copy left to stay stale.
        failure = error.code == .absent ? nil : error.fetchFailure?.message ?? "\(error)"
      }
      if let failure { Console.note("the copy stays stale: \(failure)") }
    }

    /// True when another process already fetches the record; when that is unknown, this one fetches
    /// it, too.
    private func isUnderWay(in collection: RecordCollection<[UInt8]>) -> Bool {
      do throws(StoreError) {
        return try collection.isBeingFetched(name.key)
      } catch {
        return false
      }
    }

    /// Makes the record fresh, unless another process does; prints nothing.
    func refreshBehind() async throws {
      let collection = try gate.bytes(name.collection, in: store, policy: policy)
      // Many gets may have come before the first of their refreshes had begun.
      guard !isUnderWay(in: collection) else { return }
      do throws(GetError) {
        _ = try await collection.renew(name.key) { try await origin.fetch($0) }
      } catch {
        throw CommandFailure(error)
      }
    }
  }
#endif
