internal import Synchronization

/// The fetches under way in this process for one collection and one type of value.
final class FlightTable<Value: Sendable>: FlightRegistry, Sendable {
  private struct Entry {
    let flight: Flight<Value>
    /// The newest invalidation that was known of the key when the flight was opened for it.
    let newest: Int64
    /// The last look that found nothing under the key, and the number of the store's sequence after it.
    var look: EmptyLook?
    var asked: Int64

    /// What a flight brings satisfies whoever knows of no newer invalidation than the flight did
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

  /// A key that somebody wants.
  struct Wish {
    let key: String
    /// The number of the newest invalidation that is known of it.
    let newest: Int64
    /// `nil` when something is stored.
    let look: EmptyLook?
    /// The number of the store's sequence when the key was asked for: marks up to that have to be seen.
    var asked: Int64 = 0
    /// True for one whom the flight under way cannot serve: its own takes the other's place.
    var isAlone = false
  }

  /// Who fetches which of the wanted keys.
  struct Boarding {
    /// Flights already under way, by key.
    var joined: [String: Flight<Value>] = [:]
    /// The new flight, and its keys.
    var started: (flight: Flight<Value>, keys: [String])?
  }

  /// Joins the flights that are under way and opens one for all other keys.
  ///
  /// A flight that began before the newest invalidation a caller knows of cannot satisfy it. Every
  /// joined flight, and the new one for each of its keys unless it is a background one, is owed one
  /// call of ``Flight/outcome(of:softTimeout:clock:)``; the new one is to be started.
  func board(_ wishes: [Wish], isBackground: Bool) -> Boarding {
    state.withLock { state in
      var boarding = Boarding()
      var opened: [Wish] = []
      for wish in wishes {
        let key = ExactName(wish.key)
        if !wish.isAlone, let entry = state.entries[key], entry.satisfies(wish.newest),
          entry.flight.join()
        {
          boarding.joined[wish.key] = entry.flight
          if let look = wish.look {
            state.entries[key]?.look = look
            state.entries[key]?.asked = wish.asked
          }
        } else {
          opened.append(wish)
        }
      }
      if !opened.isEmpty {
        let flight = Flight<Value>(isBackground: isBackground)
        for wish in opened {
          state.entries[ExactName(wish.key)] = Entry(
            flight: flight, newest: wish.newest, look: wish.look, asked: wish.asked)
          if !isBackground { _ = flight.join() }
        }
        state.flying[ObjectIdentifier(flight)] = flight
        boarding.started = (flight, opened.map(\.key))
      }
      return boarding
    }
  }

  /// Joins the flight of a key if nobody has committed since another caller found nothing under it:
  /// to look again would find the same. What that caller found, and the flight, which is owed one
  /// call of ``Flight/outcome(of:softTimeout:clock:)``.
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

  /// Starts a flight and keeps it until it has ended; nobody joins one that was not boarded.
  func start(_ flight: Flight<Value>, _ work: @escaping @Sendable () async -> Void) {
    state.withLock { $0.flying[ObjectIdentifier(flight)] = flight }
    flight.start { [self] in
      await work()
      state.withLock { _ = $0.flying.removeValue(forKey: ObjectIdentifier(flight)) }
    }
  }

  /// Takes a key off the table when its flight has landed.
  func land(_ flight: Flight<Value>, _ key: String) {
    state.withLock { state in
      let key = ExactName(key)
      if state.entries[key]?.flight === flight { state.entries[key] = nil }
    }
  }

  /// Lets no newcomer join the flights of matching keys: what they bring is already outdated.
  func close(where matches: (String) -> Bool) {
    state.withLock { state in
      state.entries = state.entries.filter { !matches($0.key.text) }
    }
  }

  /// Ends every flight and returns when their leases are given back.
  func cancelAll() async {
    let flights = state.withLock { state in
      state.entries = [:]
      return Array(state.flying.values)
    }
    for flight in flights { await flight.cancel() }
  }
}
