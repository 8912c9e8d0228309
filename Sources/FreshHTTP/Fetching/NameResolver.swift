#if HTTP
  package import NIOCore
  internal import NIOPosix
  internal import Reachability

  /// Looks up the name of one connection that is made for somebody else.
  ///
  /// NIO's own resolver looks up one name after the other on each event loop: one that gets no answer would hold up all
  /// others, for as long as the system waits for it, whether or not anybody still does.
  package final class NameResolver: Resolver, Sendable {
    /// Not that of fetches: names that clients make up take no thread from those.
    private static let system = HostLookup(resolving: HostLookup.resolve)

    private let lookup: HostLookup
    private let v4: EventLoopPromise<[SocketAddress]>
    private let v6: EventLoopPromise<[SocketAddress]>

    /// - Parameter loop: That of the connection.
    package convenience init(on loop: any EventLoop) { self.init(on: loop, Self.system) }

    init(on loop: any EventLoop, _ lookup: HostLookup) {
      self.lookup = lookup
      v4 = loop.makePromise()
      v6 = loop.makePromise()
    }

    /// NIO asks for both, and for these first: they come together.
    package func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
      if let address = IPAddress(host) {
        end(with: .success([address]), port)
      } else {
        lookup.begin(host) { [self] in end(with: $0, port) }
      }
      return v6.futureResult
    }

    package func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
      v4.futureResult
    }

    package func cancelQueries() {}

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
#endif
