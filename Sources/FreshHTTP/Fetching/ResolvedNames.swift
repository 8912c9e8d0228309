#if HTTP
  internal import Reachability
  internal import Synchronization

  /// Lets the name of a host through to the client only once it has been resolved.
  ///
  /// The client accepts no custom resolver, and SwiftNIO's looks up one name after the other on
  /// each event loop: an unanswered one would block all others until their hosts were blamed for
  /// the silence. So every name is first looked up here, where none waits for another.
  final class ResolvedNames: Sendable {
    private let lookup: HostLookup
    /// The time for which the client keeps an idle connection.
    private let idleTime: Duration
    /// The time until which a host may have such a connection, and needs no lookup.
    private let known = Mutex<[String: ContinuousClock.Instant]>([:])

    init(_ lookup: HostLookup, idleTime: Duration) {
      self.lookup = lookup
      self.idleTime = idleTime
    }

    /// Returns when the client may look the host up, with its addresses where it was looked up for that. Throws `noAnswer`
    /// as well when the task is cancelled.
    @discardableResult
    func admit(
      _ host: String, within limit: Duration
    ) async throws(HostLookupError) -> [IPAddress] {
      let isKnown = known.withLock { known in
        let now = ContinuousClock.now
        if known[host].map({ $0 > now }) ?? false { return true }
        known = known.filter { $0.value > now }
        return false
      }
      guard !isKnown else { return [] }
      let addresses = try await lookup.addresses(of: host, within: limit)
      note(host)
      return addresses
    }

    /// The host has answered: its connection may be used again.
    func note(_ host: String) {
      known.withLock { $0[host] = .now + idleTime }
    }
  }
#endif
