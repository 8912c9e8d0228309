#if HTTP
  internal import Synchronization

  /// The exchanges of a forwarder that are under way, by origin.
  final class OpenExchanges: Sendable {
    private struct Counts {
      /// With those that wait for a connection.
      var all = 0
      /// Those that share one connection.
      var multiplexed = 0
    }

    private let counts = Mutex<[String: Counts]>([:])
    private let connections: Int

    /// - Parameter connections: The most connections to an origin.
    init(connections: Int) { self.connections = connections }

    func begin(at origin: String) { counts.withLock { $0[origin, default: Counts()].all += 1 } }

    func noteMultiplexed(at origin: String) {
      counts.withLock { $0[origin]?.multiplexed += 1 }
    }

    func end(at origin: String, isMultiplexed: Bool) {
      counts.withLock { counts in
        guard var count = counts[origin] else { return }
        count.all -= 1
        if isMultiplexed { count.multiplexed -= 1 }
        counts[origin] = count.all > 0 ? count : nil
      }
    }

    /// The connections that are in use, or being made, and the exchanges that wait for one, of all origins.
    var usage: (connections: Int, waiting: Int) {
      counts.withLock { counts in
        counts.values.reduce(into: (connections: 0, waiting: 0)) { usage, count in
          let own = count.all - count.multiplexed
          usage.connections += min(own, connections) + (count.multiplexed > 0 ? 1 : 0)
          usage.waiting += max(0, own - connections)
        }
      }
    }

    /// True when others hold all connections.
    func isShort(at origin: String) -> Bool {
      counts.withLock { ($0[origin]?.all ?? 0) > connections }
    }

    /// The same for one that was not given a connection in time: an origin allows each only so many streams.
    func isShortOfStreams(at origin: String) -> Bool {
      counts.withLock { ($0[origin]?.multiplexed ?? 0) > 0 }
    }
  }
#endif
