#if HTTP
  internal import Reachability
  internal import Synchronization

  /// Lets the name of a host through to the client only once it has been resolved.
  ///
  /// The client takes no resolver of ours, and that of SwiftNIO looks up one name after the other on each
  /// event loop: one that nobody answers for would hold up all others until their hosts were blamed for the
  /// silence. So every name is first looked up here, where none waits for another.
  final class ResolvedNames: Sendable {
    private let lookup: HostLookup
    /// How long the client keeps a connection that nobody uses.
    private let idleTime: Duration
    /// Until when a host may have such a connection, for which nothing is looked up.
    private let known = Mutex<[String: ContinuousClock.Instant]>([:])

    init(_ lookup: HostLookup, idleTime: Duration) {
      self.lookup = lookup
      self.idleTime = idleTime
    }

    /// Returns when the client may look the host up. Throws `noAnswer` as well when the task is cancelled.
    func admit(_ host: String, within limit: Duration) async throws(HostLookupError) {
      let isKnown = known.withLock { known in
        let now = ContinuousClock.now
        if known[host].map({ $0 > now }) ?? false { return true }
        known = known.filter { $0.value > now }
        return false
      }
      guard !isKnown else { return }
      _ = try await lookup.addresses(of: host, within: limit)
      note(host)
    }

    /// The host has answered: its connection may be used again.
    func note(_ host: String) {
      known.withLock { $0[host] = .now + idleTime }
    }
  }
#endif
