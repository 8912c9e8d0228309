#if Gateway
  internal import Synchronization

  /// The flights that others may join, by the key of their address.
  final class Flights: Sendable {
    private struct State {
      var flights: [String: Flight] = [:]
      /// Addresses whose last answer was for one request alone, and until when that is believed: nobody waits
      /// for the head of another one.
      var unshared: [String: ContinuousClock.Instant] = [:]
    }

    private let state = Mutex(State())
    private let capacity: Int
    private let memory: Duration

    init(capacity: Int = 10_000, memory: Duration = .seconds(10)) {
      (self.capacity, self.memory) = (capacity, memory)
    }

    /// The flight of a key, and whether it is a new one, which is the caller's to run; `nil` where each request
    /// goes by itself. Whoever joins has entered.
    func join(_ key: String, isBackground: Bool = false) -> (flight: Flight, isNew: Bool)? {
      state.withLock { state in
        if let flight = state.flights[key], flight.enter() { return (flight, false) }
        if let end = state.unshared[key] {
          guard end <= .now else { return nil }
          state.unshared[key] = nil
        }
        let flight = Flight(isBackground: isBackground)
        guard flight.enter() else { return nil }
        state.flights[key] = flight
        return (flight, true)
      }
    }

    /// Nobody joins it any longer.
    func close(_ key: String, _ flight: Flight, isShared: Bool = true) {
      state.withLock { state in
        if let current = state.flights[key], current === flight { state.flights[key] = nil }
        guard !isShared else { return }
        if state.unshared.count >= capacity { state.unshared = [:] }
        state.unshared[key] = .now + memory
      }
    }

    /// An answer for all has come meanwhile, to a request that went by itself.
    func share(_ key: String) { state.withLock { $0.unshared[key] = nil } }

    /// What an unsafe request has just changed is not shared with those who come later.
    func outdate(_ key: String) { state.withLock { $0.flights[key] = nil } }

    /// The same for all keys.
    func outdateAll() { state.withLock { $0.flights = [:] } }

    var count: Int { state.withLock { $0.flights.count } }
  }
#endif
