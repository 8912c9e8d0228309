import FreshStoreTesting
import Glibc
import Platform
import Strategies
import Synchronization
import Testing

@testable import Reachability

@Suite struct SocketProbeTests {
  /// A TCP socket on a loopback port of its own.
  private struct Listener: ~Copyable {
    private let descriptor: Int32
    let port: UInt16

    init(accepting: Bool) throws {
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let descriptor = descriptor
      let status = unsafe withUnsafeMutableBytes(of: &address) { bytes in
        let generic = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
        guard unsafe bind(descriptor, generic, length) == 0 else { return Int32(-1) }
        return unsafe getsockname(descriptor, generic, &length)
      }
      guard status == 0, !accepting || listen(descriptor, 4) == 0 else {
        throw IsolatedThread.Failure(description: "no port: errno \(errno)")
      }
      port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }
  }

  /// A probe of a scripted network with a clock that stands still until it is moved.
  private final class Bench: Sendable {
    private let clock = Mutex(ContinuousClock.now)
    private let attempts = Mutex(0)
    private let answer: Mutex<Reachability>

    init(_ answer: Reachability) { self.answer = Mutex(answer) }

    func advance(_ duration: Duration) { clock.withLock { $0 += duration } }
    func set(_ reachability: Reachability) { answer.withLock { $0 = reachability } }
    var timesAttempted: Int { attempts.withLock { $0 } }

    func probe(random: Double) -> SocketProbe {
      SocketProbe(
        timeout: .seconds(1), now: { [self] in clock.withLock { $0 } }, random: { random }
      ) { [self] in
        attempts.withLock { $0 += 1 }
        return answer.withLock { $0 }
      }
    }
  }

  @Test(arguments: [true, false])
  func `a host that accepts or refuses is reachable`(accepting: Bool) async throws {
    let listener = try Listener(accepting: accepting)
    let probe = SocketProbe(host: "127.0.0.1", port: listener.port)
    #expect(await probe.probe() == .online)
    #expect(probe.reachability() == .online)
  }

  @Test func `a name is resolved`() async throws {
    let listener = try Listener(accepting: true)
    #expect(await SocketProbe(host: "localhost", port: listener.port).probe() == .online)
  }

  @Test func `an invalid name proves nothing`() async {
    let state = await SocketProbe(host: "not a name", port: 443).probe()
    #expect(state.code == "reachability-unknown")
  }

  @Test func `the state is unknown before the first attempt has ended`() {
    let probe = Bench(.online).probe(random: 0)
    #expect(probe.reachability() == .unknown("no attempt has ended yet"))
  }

  @Test func `a read joins an attempt in flight`() async {
    let isOpen = Mutex(false)
    let attempts = Mutex(0)
    let probe = SocketProbe(timeout: .seconds(1)) {
      attempts.withLock { $0 += 1 }
      while !isOpen.withLock({ $0 }) { sched_yield() }
      return .online
    }
    for _ in 0..<10 { _ = probe.reachability() }
    async let first = probe.probe()
    async let second = probe.probe()
    isOpen.withLock { $0 = true }
    #expect(await (first, second) == (.online, .online))
    #expect(attempts.withLock { $0 } <= 3)
  }

  @Test func `reads start no attempt before it is due`() async {
    let bench = Bench(.suspected("silence"))
    let probe = bench.probe(random: 0.5)
    _ = await probe.probe()
    bench.advance(.milliseconds(499))
    _ = probe.reachability()
    #expect(bench.timesAttempted == 1)
    bench.set(.online)
    bench.advance(.milliseconds(1))
    _ = probe.reachability()
    while probe.reachability() != .online { await Task.yield() }
    #expect(bench.timesAttempted == 2)
  }

  @Test func `the pause doubles from a second to a minute and a success ends it`() {
    var state = ProbeState()
    let start = ContinuousClock.now
    var pauses: [Duration] = []
    for _ in 0..<9 {
      _ = state.end(with: .suspected("silence"), at: start, random: 1)
      pauses.append((state.nextAttempt ?? start) - start)
    }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
    _ = state.end(with: .online, at: start, random: 0)
    #expect(state.nextAttempt == start + .seconds(60))
    _ = state.end(with: .offline("ENETUNREACH"), at: start, random: 1)
    #expect(state.nextAttempt == start + .seconds(1))
  }

  @Test func `an attempt starts when it is due and none is under way`() {
    var state = ProbeState()
    let start = ContinuousClock.now
    let first = [state.begin(ifDueAt: start), state.begin(ifDueAt: start)]
    #expect(first == [true, false])
    _ = state.end(with: .suspected("silence"), at: start, random: 0.5)
    let next = [499, 500, 500].map { state.begin(ifDueAt: start + .milliseconds($0)) }
    #expect(next == [false, true, false])
  }

  @Test(arguments: [(0.0, Duration.zero), (0.25, .milliseconds(250)), (0.5, .milliseconds(500))])
  func `the pause lies anywhere below its limit`(random: Double, pause: Duration) {
    var state = ProbeState()
    let start = ContinuousClock.now
    _ = state.end(with: .unknown("EMFILE"), at: start, random: random)
    #expect(state.nextAttempt == start + pause)
  }

  @Test(arguments: [
    ([SocketAttempt.Outcome.silent, .answered], "online"), ([.silent, .noRoute("a")], "suspected"),
    ([.noRoute("a"), .noRoute("b")], "offline"),
    ([.noRoute("a"), .failed("b")], "reachability-unknown"), ([], "reachability-unknown"),
  ])
  func `one answer is enough, and offline takes every address`(
    outcomes: [SocketAttempt.Outcome], code: String
  ) {
    #expect(SocketAttempt.judge(outcomes, host: "origin:443").code == code)
  }

  @Test(arguments: [ENETUNREACH, EHOSTUNREACH])
  func `a late refusal by a router is no proof of being offline`(code: Int32) {
    #expect(SocketAttempt.outcome(of: ErrorNumber(code), isImmediate: false) == .silent)
    #expect(
      SocketAttempt.outcome(of: ErrorNumber(code), isImmediate: true)
        == .noRoute("\(ErrorNumber(code))"))
  }

  @Test(arguments: [
    (0, "offline"), (2_000, "offline"), (2_001, "reachability-unknown"),
    (86_400_000, "reachability-unknown"),
  ])
  func `an offline host is unknown when the next attempt is overdue`(
    milliseconds: Int, code: String
  ) {
    var state = ProbeState()
    let start = ContinuousClock.now
    _ = state.end(with: .offline("ENETUNREACH"), at: start, random: 1)
    let now = start + .milliseconds(milliseconds)
    #expect(state.reachability(at: now, attemptsEndWithin: .seconds(1)).code == code)
  }

  @Test func `a probe that was not read for a day does not report the host as offline`() async {
    let bench = Bench(.offline("ENETUNREACH"))
    let probe = bench.probe(random: 0.5)
    _ = await probe.probe()
    #expect(probe.reachability().isProvablyOffline)
    bench.advance(.seconds(86_400))
    #expect(!probe.reachability().isProvablyOffline)
  }

  @Test(arguments: [
    (true, SocketAttempt.Outcome.failed("EADDRNOTAVAIL")), (false, .noRoute("EADDRNOTAVAIL")),
  ])
  func `local port exhaustion says nothing about the network`(
    isIPv4: Bool, outcome: SocketAttempt.Outcome
  ) {
    #expect(
      SocketAttempt.outcome(of: ErrorNumber(EADDRNOTAVAIL), isImmediate: true, isIPv4: isIPv4)
        == outcome)
  }

  @Test(
    .enabled("needs root and ip") { await IsolatedThread.canMakeNetworks.value },
    arguments: [
      ([String](), "offline"), (["route add default via 10.77.0.1"], "suspected"),
      (["route add blackhole default"], "offline"),
    ])
  func `a host without a route is offline, and a silent one is suspected`(
    lines: [String], code: String
  ) async throws {
    let state = try await IsolatedThread.run {
      try IsolatedThread.enterNewNetwork()
      try IsolatedThread.addInterface()
      for line in lines { try IsolatedThread.configure(line) }
      return SocketAttempt.reachability(
        of: "203.0.113.9", port: 443, timeout: .milliseconds(100))
    }
    #expect(state.code == code)
  }
}
