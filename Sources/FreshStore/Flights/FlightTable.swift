internal import Synchronization

/// The running fetches of this process for one collection and one type of value.
final class FlightTable<Value: Sendable>: FlightRegistry, Sendable {
  private struct Entry {
    let flight: Flight<Value>
    /// The newest known invalidation of the key when the flight was opened for it.
    let newest: Int64
    /// The last read that found nothing under the key, and the number of the store's sequence after it.
    var look: EmptyLook?
    var asked: Int64

    /// A flight's result satisfies a caller that knows of no newer invalidation than the flight did
    /// from the start, or than its lease.
    func satisfies(_ newest: Int64) -> Bool {
      newest <= self.newest || newest < flight.fence.load(ordering: .relaxed)
    }
  }

  private struct State {
    /// The flights that may be joined.
    var entries: [ExactName: Entry] = [:]
    /// Every flight that has not ended.
    var flying: [ObjectIdentifier: Flight<Value>] = [:]
  }

  private let state = Mutex(State())

  /// A requested key.
  struct Request {
    let key: String
    /// The number of the newest known invalidation of it.
    let newest: Int64
    /// `nil` when there is a stored record.
    let look: EmptyLook?
    /// The number of the store's sequence at the request: earlier marks must be visible.
    var asked: Int64 = 0
    /// True for a caller that the running flight cannot serve: its own flight replaces the other.
    var isAlone = false
  }

  /// The assignment of requested keys to flights.
  struct Assignment {
    /// Flights already running, by key, and whether one of their sources may have been asked before.
    var joined: [String: (flight: Flight<Value>, isLate: Bool)] = [:]
    /// The new flight, and its keys.
    var started: (flight: Flight<Value>, keys: [String])?
  }

  /// Joins the running flights and opens one for all other keys.
  ///
  /// A flight that began before the newest invalidation a caller knows of cannot satisfy it. For every
  /// joined flight, and for the new one with each of its keys unless it is a background one, the caller
  /// must call ``Flight/outcome(of:softTimeout:limit:clock:)`` once, and it must start the new one.
  func assign(
    _ requests: [Request], isBackground: Bool, by policy: Policy
  ) -> Assignment {
    state.withLock { state in
      var assignment = Assignment()
      var opened: [Request] = []
      for request in requests {
        let key = ExactName(request.key)
        let entry = state.entries[key]
        // Read before the flight is joined: what is asked later answers the caller.
        let isLate = entry?.flight.hasAsked.load(ordering: .acquiring) ?? false
        if !request.isAlone, let entry, entry.satisfies(request.newest),
          entry.flight.join()
        {
          assignment.joined[request.key] = (entry.flight, isLate)
          if let look = request.look {
            state.entries[key]?.look = look
            state.entries[key]?.asked = request.asked
          }
        } else {
          opened.append(request)
        }
      }
      if !opened.isEmpty {
        let flight = Flight<Value>(isBackground: isBackground, by: policy)
        for request in opened {
          state.entries[ExactName(request.key)] = Entry(
            flight: flight, newest: request.newest, look: request.look, asked: request.asked)
          if !isBackground { _ = flight.join() }
        }
        state.flying[ObjectIdentifier(flight)] = flight
        assignment.started = (flight, opened.map(\.key))
      }
      return assignment
    }
  }

  /// Joins the flight of a key if nothing was committed since another caller found nothing under
  /// it: another read would find the same. Returns that caller's finding, and the flight, on which
  /// the caller must call ``Flight/outcome(of:softTimeout:limit:clock:)`` once.
  func join(
    _ key: String, under header: LogHeader
  ) -> (flight: Flight<Value>, look: EmptyLook, asked: Int64)? {
    state.withLock { state in
      guard let entry = state.entries[ExactName(key)], let look = entry.look,
        look.header == header, entry.flight.join()
      else { return nil }
      return (entry.flight, look, entry.asked)
    }
  }

  /// Starts a flight and keeps it until it has ended; an unboarded flight cannot be joined.
  func start(_ flight: Flight<Value>, _ work: @escaping @Sendable () async -> Void) {
    state.withLock { $0.flying[ObjectIdentifier(flight)] = flight }
    flight.start { [self] in
      await work()
      state.withLock { _ = $0.flying.removeValue(forKey: ObjectIdentifier(flight)) }
    }
  }

  /// Removes a key from the table when its flight has landed.
  func land(_ flight: Flight<Value>, _ key: String) {
    state.withLock { state in
      let key = ExactName(key)
      if state.entries[key]?.flight === flight { state.entries[key] = nil }
    }
  }

  /// Blocks newcomers from the flights of matching keys: their results are outdated already.
  func close(where matches: (String) -> Bool) {
    state.withLock { state in
      state.entries = state.entries.filter { !matches($0.key.text) }
    }
  }

  /// Ends every flight and returns when their leases are released.
  func cancelAll() async {
    let flights = state.withLock { state in
      state.entries = [:]
      return Array(state.flying.values)
    }
    for flight in flights { await flight.cancel() }
  }
}

/// A read of the file that found nothing under a key.
struct EmptyLook: Sendable {
  /// The header of the log's index before it.
  let header: LogHeader
  let decision: Decision
}

/// A flight table of any value type.
protocol FlightRegistry: AnyObject, Sendable {
  /// Blocks newcomers from the flights of matching keys.
  func close(where matches: (String) -> Bool)
  /// Ends every flight and returns when their leases are released.
  func cancelAll() async
}
