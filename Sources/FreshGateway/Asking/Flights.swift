#if Gateway
  internal import Synchronization

  /// The flights that others may join.
  final class Flights: Sendable {
    private struct State {
      /// By the key of the address, and the key itself.
      var flights: [String: [String: Flight]] = [:]
      /// Keys whose last answer was for one request alone, and until when that is believed: nobody waits
      /// for the head of another one.
      var unshared: [String: ContinuousClock.Instant] = [:]
      /// By their keys, those that were outdated and run on: each may hold the lease of its key.
      var outdated: [String: [Flight]] = [:]

      mutating func outdate(_ flights: [String: Flight]) {
        for (key, flight) in flights { outdated[key, default: []].append(flight) }
      }
    }

    private let state = Mutex(State())
    private let capacity: Int
    private let memory: Duration

    init(capacity: Int = 10_000, memory: Duration = .seconds(10)) {
      (self.capacity, self.memory) = (capacity, memory)
    }

    /// The flight of a key, and whether it is a new one, which is the caller's to run; `nil` where each request
    /// goes by itself. Whoever joins has entered.
    func join(_ key: FlightKey, isBackground: Bool = false) -> (flight: Flight, isNew: Bool)? {
      state.withLock { state in
        if let flight = state.flights[key.base]?[key.key], flight.enter() { return (flight, false) }
        if let end = state.unshared[key.key] {
          guard end <= .now else { return nil }
          state.unshared[key.key] = nil
        }
        let flight = Flight(isBackground: isBackground)
        guard flight.enter() else { return nil }
        state.flights[key.base, default: [:]][key.key] = flight
        return (flight, true)
      }
    }

    /// Nobody joins it any longer.
    func close(_ key: FlightKey, _ flight: Flight, isShared: Bool = true) {
      state.withLock { state in
        if let current = state.flights[key.base]?[key.key], current === flight {
          state.flights[key.base]?[key.key] = nil
          if state.flights[key.base]?.isEmpty == true { state.flights[key.base] = nil }
        }
        if let others = state.outdated[key.key]?.filter({ $0 !== flight }) {
          state.outdated[key.key] = others.isEmpty ? nil : others
        }
        guard !isShared else { return }
        if state.unshared.count >= capacity { state.unshared = [:] }
        state.unshared[key.key] = .now + memory
      }
    }

    /// An answer for all has come meanwhile, to a request that went by itself.
    func share(_ key: FlightKey) { state.withLock { $0.unshared[key.key] = nil } }

    /// What an unsafe request has just changed is not shared with those who come later, whatever variant of the
    /// address they want.
    func outdate(_ key: CopyKey) {
      state.withLock { state in
        guard let flights = state.flights.removeValue(forKey: key.base) else { return }
        state.outdate(flights)
      }
    }

    /// The same for all addresses.
    func outdateAll() {
      state.withLock { state in
        for flights in state.flights.values { state.outdate(flights) }
        state.flights = [:]
      }
    }

    /// True while a flight of this key is on its way that was outdated: its lease is none to wait for.
    func hasOutdated(_ key: FlightKey) -> Bool { state.withLock { $0.outdated[key.key] != nil } }

    var count: Int { state.withLock { $0.flights.values.reduce(0) { $0 + $1.count } } }
  }
#endif
