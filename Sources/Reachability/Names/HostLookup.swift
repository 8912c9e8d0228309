internal import Platform
internal import Synchronization

/// Looks up the addresses of hosts, off the threads of the callers.
///
/// Each host has at most one lookup in flight, on a thread of its own. Its answer goes to all callers that asked
/// meanwhile, so a resolver that never answers costs one thread for a host and blocks nobody. At the maximum number
/// of threads any further lookup fails. Nothing is cached; the system's resolver has its own caches.
package final class HostLookup: Sendable {
  /// The result of a lookup: at least one address, or the reason why there is none.
  package typealias Answer = Result<[IPAddress], HostLookupError>

  private struct Flight {
    /// The process in which it runs; a forked child has no thread of its parent.
    let process: UInt64
    var waiting: [UInt64: @Sendable (Answer) -> Void] = [:]
  }

  private struct State {
    var flights: [String: Flight] = [:]
    var lastNumber: UInt64 = 0
  }

  /// Asks the system's resolver.
  package static let system = HostLookup(resolving: SystemResolver.addresses)

  private let state = Mutex(State())
  private let resolve: @Sendable (String) throws(HostLookupError) -> [IPAddress]
  private let mostThreads: Int

  /// A lookup by another function; `resolve` may block.
  package init(
    mostThreads: Int = 256,
    resolving resolve: @escaping @Sendable (String) throws(HostLookupError) -> [IPAddress]
  ) {
    self.mostThreads = mostThreads
    self.resolve = resolve
  }

  /// The addresses of a host, the preferred first. Blocks for as long as the system's resolver takes, which may be
  /// many seconds. For threads that may block.
  package static func resolve(_ host: String) throws(HostLookupError) -> [IPAddress] {
    try SystemResolver.addresses(of: host)
  }

  /// The addresses of a host, the preferred first; a numeric address is returned at once. Throws `noAnswer` when
  /// the lookup takes longer than `limit` or the task is cancelled.
  package func addresses(
    of host: String, within limit: Duration
  ) async throws(HostLookupError) -> [IPAddress] {
    if let address = IPAddress(host) { return [address] }
    let answer = await withTaskGroup(of: Answer?.self) { group in
      group.addTask { await self.answer(for: host) }
      group.addTask {
        // Cancelled when the answer came first.
        try? await Task.sleep(for: limit)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    return try (answer ?? .failure(.noAnswer(host))).get()
  }

  /// Looks a host up and delivers the answer on the lookup's thread; `deliver` must not wait.
  package func begin(_ host: String, _ deliver: @escaping @Sendable (Answer) -> Void) {
    _ = join(host, deliver)
  }

  /// The number of callers that wait for the lookup of a host.
  func waiting(for host: String) -> Int {
    state.withLock { $0.flights[host]?.waiting.count ?? 0 }
  }

  private func answer(for host: String) async -> Answer? {
    let (stream, continuation) = AsyncStream.makeStream(of: Answer.self)
    let number = join(host) {
      continuation.yield($0)
      continuation.finish()
    }
    // A caller that gives up is removed.
    defer { leave(host, number) }
    for await answer in stream { return answer }
    return nil
  }

  private func join(_ host: String, _ deliver: @escaping @Sendable (Answer) -> Void) -> UInt64 {
    let process = ForkCount.begin()
    let (number, isFirst, hasThread) = state.withLock { state in
      let isFirst = state.flights[host]?.process != process
      if isFirst { state.flights[host] = Flight(process: process) }
      state.lastNumber += 1
      state.flights[host]?.waiting[state.lastNumber] = deliver
      let others = state.flights.values.count { $0.process == process } - 1
      return (state.lastNumber, isFirst, others < mostThreads)
    }
    guard isFirst else { return number }
    if hasThread {
      start(host)
    } else {
      end(host, with: .failure(.noThread(host, "\(mostThreads) lookups are under way")))
    }
    return number
  }

  private func leave(_ host: String, _ number: UInt64) {
    _ = state.withLock { $0.flights[host]?.waiting.removeValue(forKey: number) }
  }

  private func start(_ host: String) {
    do throws(ErrorNumber) {
      try DetachedThread.start { [self] in
        end(host, with: Result { () throws(HostLookupError) in try resolve(host) })
      }
    } catch {
      end(host, with: .failure(.noThread(host, "\(error)")))
    }
  }

  private func end(_ host: String, with answer: Answer) {
    let flight = state.withLock { $0.flights.removeValue(forKey: host) }
    for deliver in (flight?.waiting ?? [:]).values { deliver(answer) }
  }
}

/// The reason why a host's name gave no address.
package enum HostLookupError: Error, Hashable, CustomStringConvertible {
  /// There is no name to look up.
  case emptyName
  /// The system's resolver knows no address for the name, for the reason it gives.
  case notFound(String, String)
  /// The lookup is still running and the caller no longer waits for it.
  case noAnswer(String)

  /// There is no thread to look the name up on, for the given reason.
  case noThread(String, String)

  package var description: String {
    switch self {
    case .emptyName: "the name of the host is empty"
    case .notFound(let host, let reason): "\(host): \(reason)"
    case .noAnswer(let host): "\(host): no answer of the resolver in time"
    case .noThread(let host, let reason): "no thread to look up \(host) on: \(reason)"
    }
  }
}

/// The resolver of the system (getaddrinfo(3)): the hosts file, the name service and any other service that this
/// machine is set up to ask. Blocks for as long as that takes, which may be many seconds.
enum SystemResolver {
  /// The addresses of the host, the preferred first, each once.
  static func addresses(of host: String) throws(HostLookupError) -> [IPAddress] {
    var addresses: [IPAddress] = []
    for bytes in try socketAddresses(of: host, port: 0) {
      guard let address = IPAddress(socketAddress: bytes), !addresses.contains(address) else {
        continue
      }
      addresses.append(address)
    }
    guard !addresses.isEmpty else { throw .notFound(host, "no IPv4 or IPv6 address") }
    return addresses
  }

  /// The addresses of the host, each as the bytes of a `sockaddr` with the port and the zone, if any.
  static func socketAddresses(
    of host: String, port: UInt16
  ) throws(HostLookupError) -> [[UInt8]] {
    guard !host.isEmpty else { throw .emptyName }
    // A C string would end there.
    guard !host.utf8.contains(0) else { throw .notFound(host, "a NUL in the name") }
    var hints = unsafe addrinfo()
    // One entry for each address, not one for each kind of socket.
    unsafe hints.ai_socktype = SocketKind.stream
    var list: UnsafeMutablePointer<addrinfo>?
    let status = unsafe getaddrinfo(host, "\(port)", &hints, &list)
    guard status == 0 else {
      let words = unsafe gai_strerror(status).map { unsafe String(cString: $0) }
      throw .notFound(host, words ?? "error \(status)")
    }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [[UInt8]] = []
    var next = unsafe list
    while let entry = unsafe next {
      let bytes = unsafe UnsafeRawBufferPointer(
        start: entry.pointee.ai_addr, count: Int(entry.pointee.ai_addrlen))
      unsafe addresses.append([UInt8](bytes))
      unsafe next = entry.pointee.ai_next
    }
    return addresses
  }
}

extension IPAddress {
  /// Reads the bytes of a `sockaddr`, without its port and zone; `nil` for another family.
  init?(socketAddress bytes: [UInt8]) {
    switch Self.family(of: bytes) {
    case AF_INET where bytes.count >= MemoryLayout<sockaddr_in>.size:
      let address = unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: sockaddr_in.self) }
      self = .v4(UInt32(bigEndian: address.sin_addr.s_addr))
    case AF_INET6 where bytes.count >= MemoryLayout<sockaddr_in6>.size:
      let address = unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: sockaddr_in6.self) }
      self.init(address.sin6_addr)
    default:
      return nil
    }
  }

  /// The address family of the bytes of a `sockaddr`.
  static func family(of bytes: [UInt8]) -> Int32? {
    guard bytes.count >= MemoryLayout<sockaddr>.size else { return nil }
    let address = unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: sockaddr.self) }
    return Int32(address.sa_family)
  }
}
