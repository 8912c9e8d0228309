#if CommandLine
  internal import FreshStore
  internal import Rules
  internal import Strategies

  /// One get of a call.
  struct SingleGet: Sendable {
    let name: RecordName
    let policy: Policy
    let store: Store
    let origin: GetSource
    let gate: AdmissionGate
    /// True to compare the value with the value of the copy.
    let comparesWithCopy: Bool
    /// True when messages must name the key.
    let namesKey: Bool

    /// The result of a get.
    struct Outcome: Sendable {
      let answer: Answer<[UInt8]>
      /// False when the value equals the value of the copy before.
      let isNews: Bool
      /// True when another command has printed the copy.
      let isOfOtherCommand: Bool
      let duration: Duration
    }

    func outcome() async throws -> Outcome {
      let start = ContinuousClock.now
      let collection = try collection()
      let before = comparesWithCopy ? copy(in: collection) : nil
      await takeFromFleet(collection)
      let answer: Answer<[UInt8]>
      do throws(GetError) {
        answer = try await collection.get(name.key) { try await origin.fetch($0) }
      } catch {
        if case .none(let advice) = origin, error.code == .missing {
          throw CommandFailure(.nothingToServe, advice)
        }
        throw error
      }
      // In every other case the command was run, or runs in the background.
      let isStored = [.fresh, .staleOffline, .stale].contains(answer.freshness)
      return Outcome(
        answer: answer, isNews: before != answer.value,
        isOfOtherCommand: isStored && isOfOtherCommand(in: collection),
        duration: ContinuousClock.now - start)
    }

    /// Takes the fleet's copy of a key without a source, unless the store has a copy that may be served.
    private func takeFromFleet(_ collection: RecordCollection<[UInt8]>) async {
      guard case .none = origin, store.isOfFleet else { return }
      do throws(StoreError) {
        guard try !collection.read(name.key).decision.isServable else { return }
        try await collection.takeFromFleet(name.key)
      } catch {
        // The get that follows uses the same store and reports the error.
      }
    }

    /// The stored value; `nil` for a store that fails. The get goes on without it and reports the failure.
    private func copy(in collection: RecordCollection<[UInt8]>) -> [UInt8]? {
      do throws(StoreError) {
        return try collection.read(name.key).copy?.value
      } catch {
        return nil
      }
    }

    private func isOfOtherCommand(in collection: RecordCollection<[UInt8]>) -> Bool {
      guard case .command(let source) = origin else { return false }
      do throws(StoreError) {
        return source.line.differs(from: try collection.storedMetadata(of: name.key))
      } catch {
        // The answer reports that the store fails.
        return false
      }
    }

    private func collection() throws(StoreError) -> RecordCollection<[UInt8]> {
      try gate.bytes(name.collection, in: store, policy: policy)
    }

    /// Makes the record fresh before this process ends, unless another process does.
    ///
    /// The copy was already served, so that a failure is only reported.
    func refreshHere() async throws {
      let collection = try collection()
      guard !isInFlight(in: collection) else { return }
      let failure: String?
      do throws(GetError) {
        let answer = try await collection.renew(name.key) { try await origin.fetch($0) }
        failure = answer.fetchFailure?.message
      } catch {
        // After a signal the exit code says enough.
        try Task.checkCancellation()
        // When the object does not exist, no copy is left that could stay stale.
        failure = error.code == .absent ? nil : error.fetchFailure?.message ?? "\(error)"
      }
      if let failure {
        let key = namesKey ? " of \(Console.quoted(key: name.key))" : ""
        Console.note("the copy\(key) stays stale: \(failure)")
      }
    }

    /// True when another process already fetches the record. When that is unknown, this process fetches it, too.
    func isInFlight() throws -> Bool { isInFlight(in: try collection()) }

    private func isInFlight(in collection: RecordCollection<[UInt8]>) -> Bool {
      do throws(StoreError) {
        return try collection.isBeingFetched(name.key)
      } catch {
        return false
      }
    }

    /// Makes the record fresh, unless another process does; prints nothing.
    func refreshBehind() async throws {
      let collection = try collection()
      // Several gets may have come before the first of their refreshes began.
      guard !isInFlight(in: collection) else { return }
      do throws(GetError) {
        _ = try await collection.renew(name.key) { try await origin.fetch($0) }
      } catch {
        throw CommandFailure(error)
      }
    }
  }
#endif
