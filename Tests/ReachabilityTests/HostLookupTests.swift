import Dispatch
import Glibc
import Strategies
import Synchronization
import Testing

@testable import Reachability

@Suite struct HostLookupTests {
  private static let address = IPAddress.v4(0xC000_0201)

  /// A resolver that answers when the test lets it, and counts.
  private final class Resolver: Sendable {
    private let latch = DispatchSemaphore(value: 0)
    private let count = Mutex(0)

    init(isOpen: Bool) { if isOpen { open() } }

    var calls: Int { count.withLock { $0 } }
    func open() { latch.signal() }

    func resolve(_ host: String) throws(HostLookupError) -> [IPAddress] {
      count.withLock { $0 += 1 }
      latch.wait()
      // Later callers pass, too.
      latch.signal()
      if host == "unknown.example" { throw .notFound(host, "no such host") }
      return [HostLookupTests.address]
    }
  }

  @Test(arguments: ["192.0.2.1", "2001:db8::1"])
  func `a numeric address is its own answer`(text: String) async throws {
    let resolver = Resolver(isOpen: true)
    let lookup = HostLookup(resolving: resolver.resolve)
    #expect(try await lookup.addresses(of: text, within: .zero) == [#require(IPAddress(text))])
    #expect(resolver.calls == 0)
  }

  @Test func `the system resolves localhost`() throws {
    let addresses = try SystemResolver.addresses(of: "localhost")
    #expect(!addresses.isEmpty)
    #expect(addresses.allSatisfy { $0.isLoopback })
  }

  @Test(.enabled("needs root") { await IsolatedThread.canNameHosts.value })
  func `a name in the hosts file has the addresses listed there, each once`() async throws {
    let addresses = try await IsolatedThread.run {
      try IsolatedThread.nameHosts(
        "192.0.2.1 origin.example", "2001:db8::1 origin.example", "192.0.2.1 origin.example")
      return try SystemResolver.addresses(of: "origin.example")
    }
    #expect(Set(addresses) == [Self.address, .v6(0x2001_0DB8_0000_0000_0000_0000_0000_0001)])
    #expect(addresses.count == 2)
  }

  @Test func `an empty name is refused as an empty name`() async {
    await #expect(throws: HostLookupError.emptyName) {
      try await HostLookup.system.addresses(of: "", within: .seconds(60))
    }
  }

  @Test(arguments: ["not a name", "localhost\0.example", String(repeating: "a", count: 300)])
  func `a malformed name is refused and named in the error`(host: String) throws {
    let error = try #require(throws: HostLookupError.self) {
      try SystemResolver.addresses(of: host)
    }
    guard case .notFound(host, let reason) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(error.description == "\(host): \(reason)")
    #expect(!reason.isEmpty)
  }

  @Test func `concurrent callers share one lookup`() async throws {
    let resolver = Resolver(isOpen: false)
    let lookup = HostLookup(resolving: resolver.resolve)
    try await withThrowingTaskGroup(of: [IPAddress].self) { group in
      for _ in 0..<10 {
        group.addTask { try await lookup.addresses(of: "origin.example", within: .seconds(60)) }
      }
      while lookup.waiting(for: "origin.example") < 10 { await Task.yield() }
      resolver.open()
      for try await addresses in group { #expect(addresses == [Self.address]) }
    }
    #expect(resolver.calls == 1)
  }

  @Test func `the result of a finished lookup is not cached`() async throws {
    let resolver = Resolver(isOpen: true)
    let lookup = HostLookup(resolving: resolver.resolve)
    for _ in 0..<2 {
      _ = try await lookup.addresses(of: "origin.example", within: .seconds(60))
    }
    #expect(resolver.calls == 2)
  }

  @Test func `the reason for a missing address is passed on`() async {
    let lookup = HostLookup(resolving: Resolver(isOpen: true).resolve)
    await #expect(throws: HostLookupError.notFound("unknown.example", "no such host")) {
      try await lookup.addresses(of: "unknown.example", within: .seconds(60))
    }
  }

  @Test func `a lookup that does not end blocks no caller and takes one thread`() async {
    let resolver = Resolver(isOpen: false)
    defer { resolver.open() }
    let lookup = HostLookup(resolving: resolver.resolve)
    for _ in 0..<5 {
      await #expect(throws: HostLookupError.noAnswer("origin.example")) {
        try await lookup.addresses(of: "origin.example", within: .milliseconds(5))
      }
    }
    while resolver.calls == 0 { await Task.yield() }
    #expect(resolver.calls == 1)
    #expect(lookup.waiting(for: "origin.example") == 0)
  }

  @Test func `with every thread taken a lookup fails at once, except for a numeric address`()
    async throws
  {
    let resolver = Resolver(isOpen: false)
    defer { resolver.open() }
    let lookup = HostLookup(mostThreads: 1, resolving: resolver.resolve)
    lookup.begin("origin.example") { _ in }
    await #expect(throws: HostLookupError.noThread("other.example", "1 lookups are under way")) {
      try await lookup.addresses(of: "other.example", within: .seconds(600))
    }
    #expect(try await lookup.addresses(of: "192.0.2.1", within: .zero) == [Self.address])
    resolver.open()
    while lookup.waiting(for: "origin.example") > 0 { await Task.yield() }
    #expect(
      try await lookup.addresses(of: "other.example", within: .seconds(600)) == [Self.address])
  }

  @Test func `a cancelled task stops waiting`() async {
    let resolver = Resolver(isOpen: false)
    defer { resolver.open() }
    let lookup = HostLookup(resolving: resolver.resolve)
    let task = Task {
      try await lookup.addresses(of: "origin.example", within: .seconds(600))
    }
    while lookup.waiting(for: "origin.example") == 0 { await Task.yield() }
    task.cancel()
    await #expect(throws: HostLookupError.noAnswer("origin.example")) { try await task.value }
  }

  @Test(arguments: [[], [2], [UInt8(AF_UNIX), 0, 0x2F] + Array(repeating: 0, count: 107)])
  func `a socket address of another family is no IP address`(bytes: [UInt8]) {
    #expect(IPAddress(socketAddress: bytes) == nil)
  }
}
