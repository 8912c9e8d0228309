internal import FreshHTTP

#if Gateway
  internal import Synchronization
#endif

/// What an origin is asked for once, however many want it: an address, or a variant of it where its answers are known
/// to vary.
struct FlightKey: Sendable, Hashable {
  /// The key of the address (``CopyKey/base``).
  let base: String
  /// The key of the copy that the answer will most likely be: whoever holds its lease asks, in all processes.
  let key: String
  /// True where whoever asks tells whose the request is.
  private let isPersonal: Bool

  /// - Parameter names: The fields of requests that answers are selected by; empty where none are known.
  init(_ key: CopyKey, _ request: GatewayRequest, selectedBy names: [String]) {
    base = key.base
    isPersonal = request.isPersonal
    guard !names.isEmpty else {
      self.key = key.base
      return
    }
    self.key = key.key(of: .fields(names, digest: request.digest(names)))
  }

  /// As far as the copies tell that a request was planned with.
  init(_ key: CopyKey, of plan: ForwardPlan) {
    self.init(key, plan.request, selectedBy: VariantChoice.selectingFields(plan.candidates))
  }

  /// Under what it is known that an answer was for one request alone: what one user was told says that of the answers to
  /// users only.
  var mark: String { isPersonal ? key + "\n" : key }
  /// Those that say so of its answers.
  var marks: [String] { isPersonal ? [key, mark] : [key] }

  /// True where nothing is known of variants.
  var isOfAddress: Bool { key == base }
}

#if Gateway
  /// The flights that others may join.
  final class Flights: Sendable {
    private struct State {
      /// By the key of the address, and the key itself.
      var flights: [String: [String: Flight]] = [:]
      /// By their marks, the keys whose last answer was for one request alone, and until when that is believed: nobody
      /// waits for the head of another one.
      var unshared: [String: ContinuousClock.Instant] = [:]
      /// By their keys, those that were outdated and run on: each may hold the lease of its key.
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

      /// False for a flight in whose place is another one, or none.
      mutating func remove(_ key: FlightKey, _ flight: Flight) -> Bool {
        guard let current = flights[key.base]?[key.key], current === flight else { return false }
        flights[key.base]?[key.key] = nil
        if flights[key.base]?.isEmpty == true { flights[key.base] = nil }
        return true
      }
    }

    /// The places of requests that may change something and whose clients have left, which hold connections to origins.
    let departed = StorageBudget(limit: 64)

    private let state = Mutex(State())
    private let capacity: Int
    private let memory: Duration
    private let moments = Atomic(0)

    init(capacity: Int = 10_000, memory: Duration = .seconds(10)) {
      (self.capacity, self.memory) = (capacity, memory)
    }

    /// The next in the order in which requests come here and answers come to them, from 1: clocks tell no two moments
    /// of a millisecond apart.
    func nextMoment() -> Int { moments.add(1, ordering: .sequentiallyConsistent).newValue }

    /// The flight of a key, and whether it is a new one, which is the caller's to run; `nil` where each request
    /// goes by itself. Whoever joins has entered.
    func join(_ key: FlightKey, isBackground: Bool = false) -> (flight: Flight, isNew: Bool)? {
      state.withLock { $0.join(key, isBackground: isBackground) }
    }

    /// The flight of all who have waited for one that has failed, of the same key and closed by now: one for all of
    /// them, however late they come to it. The rest is as of ``join(_:isBackground:)``.
    func join(_ key: FlightKey, after failed: Flight) -> (flight: Flight, isNew: Bool)? {
      state.withLock { state in
        if let next = failed.next, next.enter() { return (next, false) }
        guard let joined = state.join(key, isBackground: false) else { return nil }
        failed.next = joined.flight
        return joined
      }
    }

    /// Nobody joins it any longer.
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

    /// Has others join a flight again that was closed before it asked; false where they have another one by now.
    func restore(_ key: FlightKey, _ flight: Flight) -> Bool {
      state.withLock { state in
        guard state.flights[key.base]?[key.key] == nil else { return false }
        state.flights[key.base, default: [:]][key.key] = flight
        return true
      }
    }

    /// An answer for all has come meanwhile, to a request that went by itself.
    func share(_ key: FlightKey) {
      state.withLock { state in
        for mark in key.marks { state.unshared[mark] = nil }
      }
    }

    /// What an unsafe request has just changed is not shared with those who come later, whatever variant of the
    /// address they want.
    func outdate(_ key: CopyKey) {
      state.withLock { state in
        guard let flights = state.flights.removeValue(forKey: key.base) else { return }
        state.outdate(flights)
      }
    }

    /// The same for a flight that a later request is not answered by.
    func outdate(_ key: FlightKey, _ flight: Flight) {
      state.withLock { state in
        if state.remove(key, flight) { state.outdate([key.key: flight]) }
      }
    }

    /// The same for all whose answers have one of these tags, or may have it, as nothing of them is here.
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

    /// True while a flight of this key is on its way that was outdated: its lease is none to wait for.
    func hasOutdated(_ key: FlightKey) -> Bool { state.withLock { $0.outdated[key.key] != nil } }

    /// Those who have joined a flight that others may join.
    var waiting: Int {
      state.withLock { state in
        state.flights.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.waiters } }
      }
    }

    var count: Int { state.withLock { $0.flights.values.reduce(0) { $0 + $1.count } } }
  }
#endif
