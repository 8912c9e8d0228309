#if HTTP
  package import NIOCore
  internal import NIOPosix
  internal import Reachability
  internal import Synchronization

  /// Looks up the name for one connection that is made for a client.
  ///
  /// NIO's own resolver looks up one name after the other on each event loop. A name without an answer would
  /// delay all others for as long as the system waits, also when nobody needs it any more.
  package final class NameResolver: Resolver, Sendable {
    /// It is not the lookup of fetches: names that clients make up take no thread from those.
    private static let system = HostLookup(resolving: HostLookup.resolve)

    private let lookup: HostLookup
    private let v4: EventLoopPromise<[SocketAddress]>
    private let v6: EventLoopPromise<[SocketAddress]>

    /// - Parameter loop: The event loop of the connection.
    package convenience init(on loop: any EventLoop) { self.init(on: loop, Self.system) }

    init(on loop: any EventLoop, _ lookup: HostLookup) {
      self.lookup = lookup
      v4 = loop.makePromise()
      v6 = loop.makePromise()
    }

    /// NIO asks for the addresses of version 6 first, then for those of version 4. Both come together.
    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
      if let address = IPAddress(host) {
        end(with: .success([address]), port)
      } else {
        lookup.begin(host) { [self] in end(with: $0, port) }
      }
      return v6.futureResult
    }

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
      v4.futureResult
    }

    func cancelQueries() {}

    private func end(with answer: HostLookup.Answer, _ port: Int) {
      do {
        let addresses = try answer.get().map {
          try SocketAddress(ipAddress: "\($0)", port: port)
        }
        v6.succeed(addresses.filter { $0.protocol == .inet6 })
        v4.succeed(addresses.filter { $0.protocol == .inet })
      } catch {
        v6.fail(error)
        v4.fail(error)
      }
    }
  }

  /// Passes the name of a host to the client only once it is resolved.
  ///
  /// The client accepts no custom resolver, and SwiftNIO's looks up one name after the other on each event
  /// loop. A name without an answer would delay all others until their hosts were blamed for the silence. So
  /// every name is first looked up here, where none waits for another.
  final class ResolvedNames: Sendable {
    private let lookup: HostLookup
    /// The time for which the client keeps an idle connection.
    private let idleTime: Duration
    /// The time until which a host may have such a connection and needs no lookup.
    private let known = Mutex<[String: ContinuousClock.Instant]>([:])

    init(_ lookup: HostLookup, idleTime: Duration) {
      self.lookup = lookup
      self.idleTime = idleTime
    }

    /// Returns when the client may look the host up: with its addresses if it was looked up here, else with
    /// none. Throws `noAnswer` also when the task is cancelled.
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

    /// Notes that the host has answered: its connection may be used again.
    func note(_ host: String) {
      known.withLock { $0[host] = .now + idleTime }
    }
  }
#endif
