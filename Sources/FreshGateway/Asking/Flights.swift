internal import FreshHTTP

#if Gateway
  internal import Synchronization
#endif

/// The key of a flight: an address, or a variant of it where its answers are known to vary. However many clients want
/// it, the origin is asked once.
struct FlightKey: Sendable, Hashable {
  /// The key of the address (``CopyKey/base``).
  let base: String
  /// The key of the copy that the answer will probably be: the holder of its lease asks, in all processes.
  let key: String
  /// True where the request identifies its user.
  private let isPersonal: Bool

  /// - Parameter names: The request fields that select answers; empty where none are known.
  init(_ key: CopyKey, _ request: GatewayRequest, selectedBy names: [String]) {
    base = key.base
    isPersonal = request.isPersonal
    guard !names.isEmpty else {
      self.key = key.base
      return
    }
    self.key = key.key(of: .fields(names, digest: request.digest(names)))
  }

  /// The key by the copies with which a request was planned.
  init(_ key: CopyKey, of plan: ForwardPlan) {
    self.init(key, plan.request, selectedBy: VariantChoice.selectingFields(plan.candidates))
  }

  /// The mark of answers for one request only. An answer to one user says that only of answers to users.
  var mark: String { isPersonal ? key + "\n" : key }
  /// The marks that count for its answers.
  var marks: [String] { isPersonal ? [key, mark] : [key] }

  /// True where no variants are known.
  var isOfAddress: Bool { key == base }
}

#if Gateway
  /// The flights that other requests may join.
  final class Flights: Sendable {
    private struct State {
      /// By the key of the address, then by the key itself.
      var flights: [String: [String: Flight]] = [:]
      /// The marks of keys whose last answer was for one request only, with the end of that belief. No request waits
      /// for another one's head under such a key.
      var unshared: [String: ContinuousClock.Instant] = [:]
      /// The outdated flights that run on, by key: each may hold the lease of its key.
      var outdated: [String: [Flight]] = [:]

      mutating func join(
        _ key: FlightKey, isBackground: Bool
      ) -> (flight: Flight, isNew: Bool)? {
        if let flight = flights[key.base]?[key.key], flight.enter() { return (flight, false) }
        for mark in key.marks {
          guard let end = unshared[mark] else { continue }
          guard end <= .now else { return nil }
          unshared[mark] = nil
        }
        let flight = Flight(isBackground: isBackground)
        guard flight.enter() else { return nil }
        flights[key.base, default: [:]][key.key] = flight
        return (flight, true)
      }

      mutating func outdate(_ flights: [String: Flight]) {
        for (key, flight) in flights { outdated[key, default: []].append(flight) }
      }

      /// False for a flight that was replaced or removed.
      mutating func remove(_ key: FlightKey, _ flight: Flight) -> Bool {
        guard let current = flights[key.base]?[key.key], current === flight else { return false }
        flights[key.base]?[key.key] = nil
        if flights[key.base]?.isEmpty == true { flights[key.base] = nil }
        return true
      }
    }

    /// The budget of requests that may change something and whose clients have left: each holds a connection to an
    /// origin.
    let departed = StorageQuota(limit: 64)

    private let state = Mutex(State())
    private let capacity: Int
    private let memory: Duration
    private let moments = Atomic(0)

    init(capacity: Int = 10_000, memory: Duration = .seconds(10)) {
      (self.capacity, self.memory) = (capacity, memory)
    }

    /// The next moment, from 1, in the order of requests and answers: a clock may give two of them the same
    /// millisecond.
    func nextMoment() -> Int { moments.add(1, ordering: .sequentiallyConsistent).newValue }

    /// The flight of a key, and whether it is a new one, which the caller runs; `nil` where each request is sent by
    /// itself. The caller has entered the flight.
    func join(_ key: FlightKey, isBackground: Bool = false) -> (flight: Flight, isNew: Bool)? {
      state.withLock { $0.join(key, isBackground: isBackground) }
    }

    /// The common flight for all clients that have waited for a failed one with the same key, which is closed by now.
    /// It is one flight, however late they join. Otherwise as ``join(_:isBackground:)``.
    func join(_ key: FlightKey, after failed: Flight) -> (flight: Flight, isNew: Bool)? {
      state.withLock { state in
        if let next = failed.next, next.enter() { return (next, false) }
        guard let joined = state.join(key, isBackground: false) else { return nil }
        failed.next = joined.flight
        return joined
      }
    }

    /// Closes a flight to new joiners.
    func close(_ key: FlightKey, _ flight: Flight, isShared: Bool = true) {
      state.withLock { state in
        _ = state.remove(key, flight)
        if let others = state.outdated[key.key]?.filter({ $0 !== flight }) {
          state.outdated[key.key] = others.isEmpty ? nil : others
        }
        guard !isShared else { return }
        if state.unshared.count >= capacity { state.unshared = [:] }
        state.unshared[key.mark] = .now + memory
      }
    }

    /// Opens a flight again that was closed before it asked; false where there is another one by now.
    func restore(_ key: FlightKey, _ flight: Flight) -> Bool {
      state.withLock { state in
        guard state.flights[key.base]?[key.key] == nil else { return false }
        state.flights[key.base, default: [:]][key.key] = flight
        return true
      }
    }

    /// Notes that a request that was sent by itself got an answer for all.
    func share(_ key: FlightKey) {
      state.withLock { state in
        for mark in key.marks { state.unshared[mark] = nil }
      }
    }

    /// Closes all flights of an address, in all variants, to later requests: an unsafe request has just changed it.
    func outdate(_ key: CopyKey) {
      state.withLock { state in
        guard let flights = state.flights.removeValue(forKey: key.base) else { return }
        state.outdate(flights)
      }
    }

    /// The same for one flight, whose answer does not serve a later request.
    func outdate(_ key: FlightKey, _ flight: Flight) {
      state.withLock { state in
        if state.remove(key, flight) { state.outdate([key.key: flight]) }
      }
    }

    /// The same for all flights whose answers have one of these tags, or whose tags are unknown.
    func outdate(tags: [String]) {
      guard !tags.isEmpty else { return }
      state.withLock { state in
        for (base, flights) in state.flights {
          let known = flights.filter { $0.value.tags?.isDisjoint(with: tags) == true }
          guard known.count < flights.count else { continue }
          state.flights[base] = known.isEmpty ? nil : known
          state.outdate(flights.filter { known[$0.key] == nil })
        }
      }
    }

    /// The same for all addresses.
    func outdateAll() {
      state.withLock { state in
        for flights in state.flights.values { state.outdate(flights) }
        state.flights = [:]
      }
    }

    /// True while an outdated flight with this key is in flight: no request waits for its lease.
    func hasOutdated(_ key: FlightKey) -> Bool { state.withLock { $0.outdated[key.key] != nil } }

    /// The number of clients in open flights.
    var waiting: Int {
      state.withLock { state in
        state.flights.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.waiters } }
      }
    }

    var count: Int { state.withLock { $0.flights.values.reduce(0) { $0 + $1.count } } }
  }
#endif
