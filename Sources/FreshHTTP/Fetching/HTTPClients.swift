#if HTTP
  internal import AsyncHTTPClient
  internal import Synchronization

  /// The clients of a transport. There is one for each route out of the machine, because a client has one
  /// proxy. There is one for each https host, for the check of its certificate.
  ///
  /// A request that is given up may leave a connection that is still being made. Its client gives that to the
  /// next request, which then waits for the timer of the old attempt: one second at first, and twice as long
  /// each time. So the client of an origin out of reach is retired, and the next request gets a new client
  /// with connections of its own.
  ///
  /// Until it ends, a client has a pool for each origin that it was ever asked for. With TLS it also has its
  /// trusted certificates. A proxy is asked for any number of origins, so all clients are retired when the
  /// pools are many.
  final class HTTPClients: Sendable {
    struct Key: Hashable, Sendable {
      let route: ProxyRoute
      /// The host whose certificate is checked; `nil` where none is.
      let host: String?
      /// True for requests that only HTTP/1 can carry.
      var isPlain = false
    }

    private struct Place: Hashable {
      let key: Key
      let origin: String
    }

    private struct State {
      var current: [Key: HTTPClient] = [:]
      /// The keys and origins for which the current clients were used.
      var places: Set<Place> = []
      /// The clients that take no new request, and still have some in flight.
      var retired: [HTTPClient] = []
      var inFlight: [ObjectIdentifier: Int] = [:]
      /// Ends when all retired and idle clients have ended.
      var ending: Task<Void, Never>?
      var isClosed = false
    }

    private let state = Mutex(State())
    private let origins: Int
    private let limit: Int

    /// - Parameters:
    ///   - origins: The most origins of the current clients.
    ///   - limit: The most current clients.
    init(origins: Int = 1000, atMost limit: Int = 128) {
      (self.origins, self.limit) = (origins, limit)
    }

    /// The number of clients that have not ended.
    var count: Int { state.withLock { $0.current.count + $0.retired.count } }

    /// True once ``end()`` was called.
    var hasEnded: Bool { state.withLock { $0.isClosed } }

    /// The client for one request to an origin, to be returned with ``giveBack(_:of:isLost:)``; `nil` once
    /// all have ended.
    func take(_ key: Key, for origin: String, make: () -> HTTPClient) -> HTTPClient? {
      state.withLock { state in
        guard !state.isClosed else { return nil }
        let place = Place(key: key, origin: origin)
        let isFull =
          state.places.count >= origins && !state.places.contains(place)
          || state.current.count >= limit && state.current[key] == nil
        if isFull { Self.retireAll(&state) }
        state.places.insert(place)
        let client = state.current[key] ?? make()
        state.current[key] = client
        state.inFlight[ObjectIdentifier(client), default: 0] += 1
        return client
      }
    }

    /// Notes that the request has ended.
    ///
    /// - Parameter isLost: True when it was given up while its origin was out of reach.
    func giveBack(_ client: HTTPClient, of key: Key, isLost: Bool) {
      state.withLock { state in
        let name = ObjectIdentifier(client)
        let others = state.inFlight[name, default: 0] - 1
        state.inFlight[name] = others > 0 ? others : nil
        if isLost, let current = state.current[key], current === client {
          state.current[key] = nil
          state.retired.append(client)
        }
        guard !state.isClosed, others <= 0 else { return }
        guard let place = state.retired.firstIndex(where: { $0 === client }) else { return }
        state.retired.remove(at: place)
        Self.shutDown([client], &state)
      }
    }

    /// Retires all clients; the idle ones end at once.
    private static func retireAll(_ state: inout State) {
      let clients = Array(state.current.values)
      let idle = clients.filter { state.inFlight[ObjectIdentifier($0)] == nil }
      state.retired += clients.filter { state.inFlight[ObjectIdentifier($0)] != nil }
      (state.current, state.places) = ([:], [])
      shutDown(idle, &state)
    }

    private static func shutDown(_ clients: [HTTPClient], _ state: inout State) {
      guard !clients.isEmpty else { return }
      let earlier = state.ending
      state.ending = Task {
        await earlier?.value
        await Self.shutDown(clients)
      }
    }

    /// Ends the use of the clients. Returns a closure that shuts all of them down; `nil` when an earlier call
    /// has returned it.
    func end() -> (@Sendable () async -> Void)? {
      state.withLock { state in
        guard !state.isClosed else { return nil }
        state.isClosed = true
        let (left, ending) = (Array(state.current.values) + state.retired, state.ending)
        return {
          await Self.shutDown(left)
          await ending?.value
        }
      }
    }

    private static func shutDown(_ clients: [HTTPClient]) async {
      for client in clients {
        // It fails only for a client that is shut down already, which is the wanted state.
        try? await client.shutdown()
      }
    }
  }
#endif
