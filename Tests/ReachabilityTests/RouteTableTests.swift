import FreshStoreTesting
import Strategies
import Testing

@testable import Reachability

@Suite struct RouteTableTests {
  private static let header =
    "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT"
  private static let lan = "va\t00004D0A\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0"
  private static let origin = IPAddress.v4(0xCB00_7109)
  private static let neighbour = IPAddress.v4(0x0A4D_0063)
  private static let distant = IPAddress.v6(0x2001_0503_BA3E_0000_0000_0000_0002_0030)

  /// The file as the kernel writes it: every line padded with blanks to 127 characters.
  private static func file(_ lines: String...) -> [UInt8] {
    ([header] + lines).flatMap { line in
      let padding = String(repeating: " ", count: max(0, 127 - line.utf8.count))
      return Array("\(line)\(padding)\n".utf8)
    }
  }

  private static func route(
    _ interface: String, _ destination: String, flags: String, metric: String = "0", mask: String
  ) -> String {
    "\(interface)\t\(destination)\t00000000\t\(flags)\t0\t0\t\(metric)\t\(mask)\t0\t0\t0"
  }

  private static let unreachable = route("*", "00000000", flags: "0201", mask: "00000000")
  private static let gateway = route(
    "va", "00000000", flags: "0003", metric: "50", mask: "00000000")

  #if _endian(little)
    @Test(arguments: [
      ("a default through a gateway", [gateway], RouteTable.Answer.route),
      (
        "a default without a gateway, as tunnels have",
        [route("wg0", "00000000", flags: "0001", mask: "00000000")], .route
      ),
      ("no default", [lan], .noRoute),
      ("an unreachable default alone", [unreachable], .noRoute),
      ("an unreachable default with the better metric", [unreachable, gateway], .noRoute),
      (
        "an unreachable default with the worse metric",
        [
          gateway,
          route("*", "00000000", flags: "0201", metric: "4294967295", mask: "00000000"),
        ], .route
      ),
      (
        "a blackhole, which has no reject flag",
        [route("*", "00000000", flags: "0001", mask: "00000000"), gateway], .noRoute
      ),
      (
        "a next-hop object that drops all it gets, which shows as a route over the loopback",
        [route("lo", "00000000", flags: "0001", mask: "00000000")], .noRoute
      ),
      (
        "a blackhole for the origin alone",
        [gateway, route("*", "007100CB", flags: "0001", mask: "00FFFFFF")], .noRoute
      ),
      (
        "the split default of a tunnel",
        [
          route("tun0", "00000000", flags: "0001", mask: "00000080"),
          route("tun0", "00000080", flags: "0001", mask: "00000080"),
        ], .route
      ),
      (
        "the half of a split default that does not cover the origin",
        [route("tun0", "00000000", flags: "0001", mask: "00000080")], .noRoute
      ),
      (
        "a host route to the origin alone",
        [route("va", "097100CB", flags: "0005", mask: "FFFFFFFF")], .route
      ),
      (
        "a route whose interface is down",
        [route("va", "00000000", flags: "0002", mask: "00000000")],
        .noRoute
      ),
    ])
    func `an IPv4 table is parsed as the kernel means it`(
      what: String, lines: [String], answer: RouteTable.Answer
    ) {
      let text = lines.reduce(Self.file()) { $0 + Self.file($1).dropFirst(128) }
      #expect(RouteTable.answer(for: Self.origin, in: text, isComplete: true) == answer, "\(what)")
    }

    @Test func `a neighbour needs no default route`() {
      let text = Self.file(Self.lan)
      #expect(RouteTable.answer(for: Self.neighbour, in: text, isComplete: true) == .route)
    }

    @Test func `a truncated table proves a route but never the lack of one`() {
      let cut = Array(Self.file(Self.gateway, Self.lan).dropLast(60))
      #expect(RouteTable.answer(for: Self.origin, in: cut, isComplete: false) == .route)
      let rejecting = Self.file(Self.unreachable)
      #expect(RouteTable.answer(for: Self.origin, in: rejecting, isComplete: false) == .incomplete)
      let empty = Self.file()
      #expect(RouteTable.answer(for: Self.origin, in: empty, isComplete: false) == .incomplete)
    }

    @Test func `the truncated line is not parsed`() {
      let half = Self.route("va", "00000000", flags: "0003", metric: "5", mask: "00000000")
      let cut = Self.file() + Array(half.utf8)
      #expect(RouteTable.answer(for: Self.origin, in: cut, isComplete: false) == .incomplete)
      #expect(RouteTable.answer(for: Self.origin, in: cut, isComplete: true) == .route)
    }
  #endif

  @Test func `an empty file, as in a new network namespace, is a table without routes`() {
    #expect(RouteTable.answer(for: Self.origin, in: [], isComplete: true) == .noRoute)
    #expect(RouteTable.answer(for: Self.distant, in: [], isComplete: true) == .noRoute)
    #expect(RouteTable.answer(for: Self.origin, in: Self.file(), isComplete: true) == .noRoute)
  }

  private static let zeros = String(repeating: "0", count: 32)

  private static func route6(
    _ destination: String, _ length: String, metric: String, flags: String, _ interface: String
  ) -> String {
    [
      destination, length, zeros, "00", zeros, metric, "00000001", "00000000", flags, interface,
    ].joined(separator: " ") + "\n"
  }

  private static let null = route6(zeros, "00", metric: "ffffffff", flags: "00200200", "lo")

  @Test(arguments: [
    ("the null entries that every host has", [null, null], RouteTable.Answer.noRoute),
    (
      "a default", [route6(zeros, "00", metric: "00000400", flags: "00000003", "eth0"), null],
      .route
    ),
    (
      "a default of any metric beside an unreachable one, which may be of another table",
      [
        route6(zeros, "00", metric: "00000001", flags: "00200200", "lo"),
        route6(zeros, "00", metric: "00000400", flags: "00000003", "eth0"),
      ], .route
    ),
    (
      "a prefix that covers the address",
      [
        route6(
          "20010503ba3e00000000000000000000", "30", metric: "00000100", flags: "00000001", "eth0")
      ], .route
    ),
    (
      "a prefix that does not",
      [
        route6(
          "20010db8000000000000000000000000", "20", metric: "00000100", flags: "00000001", "eth0")
      ], .noRoute
    ),
    (
      "a length no prefix has",
      [route6(zeros, "81", metric: "00000400", flags: "00000003", "eth0")], .noRoute
    ),
  ])
  func `an IPv6 table is parsed as the kernel means it`(
    what: String, lines: [String], answer: RouteTable.Answer
  ) {
    let text = Array(lines.joined().utf8)
    #expect(RouteTable.answer(for: Self.distant, in: text, isComplete: true) == answer, "\(what)")
  }

  @Test func `every prefix of a real table is parsed without a trap`() {
    let v4 = Self.file(Self.gateway, Self.lan, Self.unreachable)
    let v6 = Array((Self.null + Self.null).utf8)
    for (target, text) in [(Self.origin, v4), (Self.distant, v6)] {
      for length in 0...text.count {
        let part = Array(text.prefix(length))
        let answer = RouteTable.answer(for: target, in: part, isComplete: false)
        #expect(answer != .noRoute, "a cut table proves nothing")
      }
    }
  }

  @Test(arguments: UInt64(1)...4)
  func `random bytes contain no routes and cause no trap`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let text = (0..<Int.random(in: 0...4_096, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      #expect(RouteTable.answer(for: Self.origin, in: text, isComplete: true) == .noRoute)
      #expect(RouteTable.answer(for: Self.distant, in: text, isComplete: true) == .noRoute)
    }
  }

  @Test(arguments: UInt64(1)...4)
  func `a real table with random bytes in it is parsed without a trap`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let alphabet = Array("0123456789abcdefFG \t\n*\0+-".utf8)
    for _ in 0..<50 {
      var v4 = Self.file(Self.gateway, Self.lan, Self.unreachable)
      var v6 = Array((Self.null + Self.null).utf8)
      for _ in 0..<40 {
        let byte = try #require(alphabet.randomElement(using: &generator))
        v4[Int.random(in: v4.indices, using: &generator)] = byte
        v6[Int.random(in: v6.indices, using: &generator)] = byte
      }
      #expect(RouteTable.answer(for: Self.origin, in: v4, isComplete: true) != .incomplete)
      #expect(RouteTable.answer(for: Self.distant, in: v6, isComplete: true) != .incomplete)
    }
  }

  private static let overlong = String(repeating: "F", count: 48)

  @Test(arguments: [
    "", " ", "va", header, "va\t00000000\t0\t0003\t0\t0\t4294967296\t00000000",
    "va\t0000000\t0\t0003\t0\t0\t0\t00000000", "va\t+0000000\t0\t0003\t0\t0\t0\t00000000",
    "va\t000000000\t0\t0003\t0\t0\t0\t00000000", "va\t00000000\t0\t0003\t0\t0\tA\t00000000",
    "va\t00000000\t0\t\(overlong)\t0\t0\t0\t00000000",
    "va\t00000000\t0\t0003\t0\t0\t\(String(repeating: "9", count: 48))\t00000000",
    "va\t00000000\t0\t\t0\t0\t0\t00000000", "va\t0000000\u{661}\t0\t0003\t0\t0\t0\t00000000",
  ])
  func `a line that is not an IPv4 route is skipped`(line: String) {
    #expect(RouteEntry(ipv4: Array(line.utf8)) == nil)
  }

  @Test(arguments: [
    "", null.replacing("ffffffff", with: overlong), null.replacing("00200200", with: overlong),
    null.replacing("\(zeros) 00", with: "\(zeros) \(overlong)"),
    null.replacing(zeros, with: overlong), null.replacing("ffffffff", with: "1ffffffff"),
    null.replacing("lo", with: ""), null.replacing("00200200", with: "0020020x"),
  ])
  func `a line that is not an IPv6 route is skipped`(line: String) {
    #expect(RouteEntry(ipv6: Array(line.utf8.dropLast())) == nil)
    #expect(RouteEntry(ipv6: Array(Self.null.utf8.dropLast())) != nil)
  }
}
