import FreshStoreTesting
import Platform
import Strategies
import Testing

@testable import Reachability

@Suite struct RouteMessageTests {
  private static let origin = IPAddress.v4(0xCB00_7109)
  private static let router = RouteMessages.attribute(5, [10, 77, 0, 1])
  private static let twoHops = RouteMessages.attribute(
    9,
    RouteMessages.hop(interface: 3, flags: 16, attributes: router)
      + RouteMessages.hop(interface: 5, flags: 0, attributes: router))

  /// Whole messages of every shape, the seeds of the mutations below.
  static let samples: [[UInt8]] = [
    RouteMessages.error(101),
    RouteMessages.route(
      attributes: RouteMessages.attribute(4, RouteMessages.number(3)) + router),
    RouteMessages.route(attributes: twoHops),
    RouteMessages.route(
      attributes: RouteMessages.attribute(7, [UInt8](repeating: 0xFE, count: 16))),
    RouteMessages.nextHop(interface: 3, flags: 16, attributes: router),
    RouteMessages.nextHop(group: [7, 8]),
    RouteMessages.error(0, sequence: 9) + RouteMessages.route(kind: 7),
  ]

  @Test func `a query for IPv4 has the layout that the kernel reads`() {
    let bytes = RouteQuestion.entry(Self.origin).bytes(sequence: 7)
    #if _endian(little)
      #expect(
        bytes == [
          36, 0, 0, 0, 26, 0, 1, 0, 7, 0, 0, 0, 0, 0, 0, 0,
          2, 32, 0, 0, 0, 0, 0, 0, 0, 0x20, 0, 0,
          8, 0, 1, 0, 203, 0, 113, 9,
        ])
    #else
      #expect(bytes.count == 36)
    #endif
  }

  @Test func `a query for IPv6 carries the whole address and its own length`() {
    let address = IPAddress.v6(0x2001_0DB8_0000_0000_0000_0000_0000_0009)
    let bytes = RouteQuestion.resolved(address).bytes(sequence: 7)
    #expect(bytes[...].native(at: 0) == UInt32(48))
    #expect(Array(bytes[16..<28]) == [10, 128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    #expect(
      Array(bytes[32...]) == [0x20, 1, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9])
  }

  @Test func `a route states its interface and its router`() throws {
    let reply = try #require(RouteReply(Self.samples[1], sequence: 1))
    guard case .route(let route) = reply else {
      Issue.record("it is no route")
      return
    }
    #expect(route.interface == 3)
    #expect(route.gateway == 0x0A4D_0001)
    #expect(!route.isLinkDown)
  }

  @Test func `an error is a refusal with the kernel's error number`() {
    #expect(RouteReply(RouteMessages.error(113), sequence: 1) == .refused(113))
  }

  @Test func `an acknowledgement is no answer`() {
    #expect(RouteReply(RouteMessages.error(0), sequence: 1) == nil)
  }

  @Test func `the answer to another query is skipped`() {
    let bytes = RouteMessages.error(101, sequence: 1) + RouteMessages.error(22, sequence: 2)
    #expect(RouteReply(bytes, sequence: 2) == .refused(22))
    #expect(RouteReply(bytes, sequence: 3) == nil)
  }

  @Test(arguments: [
    ([UInt8(0), 0], false), ([16, 0], false), ([0, 1], false), ([16, 1], true), ([17, 16], true),
  ])
  func `a route with several next hops is down only when each of them is`(
    flags: [UInt8], isDown: Bool
  ) throws {
    let hops = flags.flatMap { RouteMessages.hop(interface: 1, flags: $0) }
    let bytes = RouteMessages.route(flags: 0, attributes: RouteMessages.attribute(9, hops))
    guard case .route(let route) = try #require(RouteReply(bytes, sequence: 1)) else {
      Issue.record("it is no route")
      return
    }
    #expect(route.isLinkDown == isDown)
    #expect(route.hops.count == 2)
  }

  @Test(arguments: [(UInt8(6), RouteCause.blackhole), (7, .unreachable), (8, .prohibited)])
  func `a blackhole, unreachable or prohibited route is no route`(kind: UInt8, cause: RouteCause)
    throws
  {
    let reply = try #require(RouteReply(RouteMessages.route(kind: kind), sequence: 1))
    #expect(RouteAnswer(for: Self.origin) { _ in reply } == .noRoute(cause))
  }

  @Test func `a dead link is no route and the cause says so`() throws {
    let reply = try #require(RouteReply(RouteMessages.route(flags: 16), sequence: 1))
    #expect(RouteAnswer(for: Self.origin) { _ in reply } == .noRoute(.linkDown))
  }

  @Test func `the source address decides only where IPv6 finds no route`() throws {
    let target = IPAddress.v6(9)
    let dead = try #require(RouteReply(RouteMessages.route(flags: 16), sequence: 1))
    for (reply, questions) in [
      (RouteReply.refused(101), [RouteQuestion.entry(target), .entry(target, from: .v6(7))]),
      (dead, [.entry(target)]),
      (.refused(1), [.entry(target)]),
    ] {
      var asked: [RouteQuestion] = []
      _ = RouteAnswer(for: target, source: { _ in .v6(7) }) { question in
        asked.append(question)
        return reply
      }
      #expect(asked == questions)
    }
  }

  @Test(arguments: [
    (Int32(101), RouteCause.noRoute), (113, .unreachable), (22, .blackhole), (13, .prohibited),
    (99, .noAddress),
  ])
  func `the errors of the routing tables are causes`(error: Int32, cause: RouteCause) {
    #expect(RouteAnswer(for: Self.origin) { _ in .refused(error) } == .noRoute(cause))
  }

  @Test(arguments: [Int32(1), 12, 16, 24, 38, 93, 95, 97, 105, .min, .max])
  func `every other error says nothing about the network`(error: Int32) {
    let answer = RouteAnswer(for: Self.origin) { _ in .refused(error) }
    #expect(answer == .failed("netlink: \(ErrorNumber(error))"))
    #expect(RouteWord.Verdict([answer]) == .unanswered)
  }

  @Test func `a message cut short is never an answer`() {
    for sample in Self.samples.dropLast() {
      for length in 0..<sample.count {
        #expect(RouteReply(Array(sample.prefix(length)), sequence: 1) == nil)
      }
    }
  }

  @Test func `messages that claim more bytes than they hold are no answers`() {
    var attribute = RouteMessages.route(attributes: Self.router)
    attribute[28] = 200
    #expect(RouteReply(attribute, sequence: 1) == nil)
    var hop = RouteMessages.route(attributes: Self.twoHops)
    hop[32] = 200
    #expect(RouteReply(hop, sequence: 1) == nil)
  }

  @Test(arguments: 0..<16)
  func `random and mutated bytes are parsed without a trap`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      var bytes = Self.samples.randomElement(using: &random) ?? []
      switch UInt8.random(in: 0..<3, using: &random) {
      case 0:
        bytes = (0..<Int.random(in: 0..<200, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
      case 1: bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
      default: break
      }
      for _ in 0..<Int.random(in: 0..<6, using: &random) where !bytes.isEmpty {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] =
          UInt8.random(in: 0...255, using: &random)
      }
      // However it is interpreted, it consists only of the bytes present.
      switch RouteReply(bytes, sequence: 1) {
      case .route(let route): #expect(route.hops.count * 8 <= bytes.count)
      case .nextHop(let object): #expect(object.members.count * 8 <= bytes.count)
      case .refused, nil: continue
      }
    }
  }
}
