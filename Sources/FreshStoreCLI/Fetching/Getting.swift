#if CommandLine
  internal import FreshStore
  internal import Rules
  internal import Strategies

  /// One get under way.
  struct Getting: Sendable {
    let name: RecordName
    let policy: Policy
    let store: Store
    let origin: Origin
    let gate: AdmissionGate
    /// True when a program that is started later can read the files that were named.
    let canStartAgain: Bool

    /// How the answer is shown.
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
        if display.isJSON { try StandardOutput.json(AnswerOutput(error)) }
        throw CommandFailure(error)
      }
      let written = Result { () throws(CommandFailure) in
        if display.isJSON {
          try StandardOutput.json(AnswerOutput(answer, in: name.collection))
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

    /// Makes the record fresh before this process ends. The copy has been served: that it stays stale is
    /// told, and is no failure.
    private func refreshHere(in collection: RecordCollection<[UInt8]>) async throws {
      let failure: String?
      do throws(GetError) {
        let answer = try await collection.refresh(name.key) { try await origin.fetch($0) }
        failure = answer.fetchFailure?.message
      } catch {
        // A signal's code says it all.
        try Task.checkCancellation()
        // Where the object is gone there is no copy any more to stay stale.
        failure = error.code == .absent ? nil : error.fetchFailure?.message ?? "\(error)"
      }
      if let failure { Console.note("the copy stays stale: \(failure)") }
    }

    /// True when somebody is fetching the record already; who cannot tell fetches it, too.
    private func isUnderWay(in collection: RecordCollection<[UInt8]>) -> Bool {
      do throws(StoreError) {
        return try collection.isBeingFetched(name.key)
      } catch {
        return false
      }
    }

    /// Makes the record fresh, unless somebody is at it; prints nothing.
    func refreshBehind() async throws {
      let collection = try gate.bytes(name.collection, in: store, policy: policy)
      // Many gets may have come before the first of their refreshes had begun.
      guard !isUnderWay(in: collection) else { return }
      do throws(GetError) {
        _ = try await collection.refresh(name.key) { try await origin.fetch($0) }
      } catch {
        throw CommandFailure(error)
      }
    }
  }
#endif
