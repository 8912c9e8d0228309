#if HTTP
  internal import Dispatch
  internal import NIOCore
  internal import NIOPosix
  internal import Reachability
  internal import Testing

  @testable import FreshHTTP

  /// Names of connections that are made for others.
  @Suite(.timeLimit(.minutes(1))) struct NameResolverTests {
    /// Resolves every name but one to this host; the one gets no answer before the test lets it.
    private final class Names: Sendable {
      private let released = DispatchSemaphore(value: 0)

      func release() { released.signal() }

      func resolve(_ host: String) throws(HostLookupError) -> [IPAddress] {
        guard host == "silent.example" else { return [.v6(1), .v4(0x7F00_0001)] }
        released.wait()
        throw .notFound(host, "released")
      }
    }

    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    @Test func `a name that gets no answer holds up no other of the same loop`() async throws {
      let names = Names()
      let lookup = HostLookup(resolving: names.resolve)
      let (silent, other) = (NameResolver(on: loop, lookup), NameResolver(on: loop, lookup))
      let unanswered = silent.initiateAAAAQuery(host: "silent.example", port: 443)
      let v6 = try await other.initiateAAAAQuery(host: "a.example", port: 443).get()
      let v4 = try await other.initiateAQuery(host: "a.example", port: 443).get()
      #expect(v6.map(\.ipAddress) == ["::1"] && v4.map(\.ipAddress) == ["127.0.0.1"])
      #expect((v6 + v4).map(\.port) == [443, 443])
      names.release()
      let failure = HostLookupError.notFound("silent.example", "released")
      await #expect(throws: failure) { try await unanswered.get() }
      await #expect(throws: failure) {
        try await silent.initiateAQuery(host: "silent.example", port: 443).get()
      }
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func `a numeric address is its own answer, of its version alone`(text: String) async throws {
      let resolver = NameResolver(on: loop, HostLookup(mostThreads: 0, resolving: Names().resolve))
      let v6 = try await resolver.initiateAAAAQuery(host: text, port: 443).get()
      let v4 = try await resolver.initiateAQuery(host: text, port: 443).get()
      #expect((v6 + v4).map(\.ipAddress) == [text])
    }
  }
#endif
