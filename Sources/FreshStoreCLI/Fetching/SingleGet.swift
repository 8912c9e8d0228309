#if CommandLine
  internal import FreshStore
  internal import Rules
  internal import Strategies

  /// One get under way.
  struct SingleGet: Sendable {
    let name: RecordName
    let policy: Policy
    let store: Store
    let origin: GetSource
    let gate: AdmissionGate
    /// True to find out whether the value differs from that of the copy.
    let comparesWithCopy: Bool
    /// True where messages have to say which key they are about.
    let namesKey: Bool

    /// What a get has brought.
    struct Outcome: Sendable {
      let answer: Answer<[UInt8]>
      /// False when the value is that of the copy that was stored before.
      let isNews: Bool
      /// True when another command has printed the copy.
      let isOfOtherCommand: Bool
      let duration: Duration
    }

    /// Gets the value.
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
      // Elsewhere the command was run, or is being run behind.
      let isStored = [.fresh, .staleOffline, .stale].contains(answer.freshness)
      return Outcome(
        answer: answer, isNews: before != answer.value,
        isOfOtherCommand: isStored && isOfOtherCommand(in: collection),
        duration: ContinuousClock.now - start)
    }

    /// Takes over what the fleet has of a key without a source, unless there is a copy that may be served.
    private func takeFromFleet(_ collection: RecordCollection<[UInt8]>) async {
      guard case .none = origin, store.isOfFleet else { return }
      do throws(StoreError) {
        guard try !collection.read(name.key).decision.isServable else { return }
        try await collection.takeFromFleet(name.key)
      } catch {
        // The get that follows has the same store, and tells.
      }
    }

    /// The stored value. A store that fails has none: the get goes on without it, and reports it.
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
        // The answer says that the store fails.
        return false
      }
    }

    private func collection() throws(StoreError) -> RecordCollection<[UInt8]> {
      try gate.bytes(name.collection, in: store, policy: policy)
    }

    /// Makes the record fresh before this process ends, unless another process does. The copy has been
    /// served: if it stays stale, that is reported, and is no failure.
    func refreshHere() async throws {
      let collection = try collection()
      guard !isInFlight(in: collection) else { return }
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
      if let failure {
        let key = namesKey ? " of \(Console.quoted(key: name.key))" : ""
        Console.note("the copy\(key) stays stale: \(failure)")
      }
    }

    /// True when another process already fetches the record; when that is unknown, this one fetches
    /// it, too.
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
      // Many gets may have come before the first of their refreshes had begun.
      guard !isInFlight(in: collection) else { return }
      do throws(GetError) {
        _ = try await collection.renew(name.key) { try await origin.fetch($0) }
      } catch {
        throw CommandFailure(error)
      }
    }
  }
#endif
