import FreshStoreTesting
import Platform
import Strategies
import Testing

@testable import Reachability

@Suite struct NextHopMessageTests {
  private static let origin = IPAddress.v4(0xCB00_7109)

  /// The kernel's answers to questions for a route that names the object 9 alone, and for objects.
  private func answer(_ objects: [UInt32: [UInt8]]) -> RouteAnswer {
    RouteAnswer(for: Self.origin) { question throws(ErrorNumber) in
      let bytes =
        switch question {
        case .nextHop(let number): objects[number] ?? RouteMessages.error(2)
        default: RouteMessages.route(attributes: Self.named(9))
        }
      guard let reply = RouteReply(bytes, sequence: 1) else { throw .noAnswer }
      return reply
    }
  }

  private static func named(_ number: UInt32) -> [UInt8] {
    RouteMessages.attribute(30, RouteMessages.number(number))
  }

  @Test func `a query for a next-hop object has the layout that the kernel reads`() {
    let bytes = RouteQuestion.nextHop(9).bytes(sequence: 7)
    #if _endian(little)
      #expect(
        bytes == [
          32, 0, 0, 0, 106, 0, 1, 0, 7, 0, 0, 0, 0, 0, 0, 0,
          0, 0, 0, 0, 0, 0, 0, 0,
          8, 0, 1, 0, 9, 0, 0, 0,
        ])
    #else
      #expect(bytes.count == 32)
    #endif
  }

  @Test func `a query with a source address carries it and its length`() {
    let bytes = RouteQuestion.entry(.v6(9), from: .v6(7)).bytes(sequence: 7)
    #expect(bytes[...].native(at: 0) == UInt32(68))
    #expect(Array(bytes[16..<20]) == [10, 128, 128, 0])
    #expect(bytes[50...].native(at: 0) == UInt16(2))
    #expect(bytes.last == 7)
  }

  @Test(arguments: [(UInt32(0), false), (1, true), (16, true), (4, false)])
  func `a route is down when its only next-hop object is down`(flags: UInt32, isDown: Bool) throws {
    let answer = answer([9: RouteMessages.nextHop(interface: 3, flags: flags)])
    #expect((answer == .noRoute(.linkDown)) == isDown)
    guard !isDown else { return }
    guard case .route(let route, _) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(route.hops.map(\.interface) == [3])
  }

  @Test(arguments: [
    ([UInt32(0), 0], false), ([16, 0], false), ([0, 1], false), ([16, 1], true), ([17, 16], true),
  ])
  func `a group is down only when every member is down`(flags: [UInt32], isDown: Bool) {
    let members = flags.enumerated().map { index, flags in
      (UInt32(index), RouteMessages.nextHop(interface: 3, flags: flags))
    }
    let group = RouteMessages.nextHop(group: members.map(\.0))
    // The group's own flags are ignored.
    let objects = [UInt32(9): group].merging(members) { first, _ in first }
    #expect((answer(objects) == .noRoute(.linkDown)) == isDown)
  }

  @Test func `a member that cannot be queried keeps the other members from being a proof`() {
    let dead = RouteMessages.nextHop(interface: 3, flags: 16)
    let group = RouteMessages.nextHop(group: [1, 2])
    #expect(answer([9: group, 1: dead, 2: dead]) == .noRoute(.linkDown))
    #expect(answer([9: group, 1: dead]) != .noRoute(.linkDown))
    #expect(RouteWord.Verdict([answer([9: group, 1: dead])]) == .online)
  }

  @Test func `only a few members of an enormous group are queried`() {
    let dead = RouteMessages.nextHop(interface: 3, flags: 16)
    var timesAsked = 0
    let answer = RouteAnswer(for: Self.origin) { question throws(ErrorNumber) in
      timesAsked += 1
      let bytes =
        switch question {
        case .nextHop(9): RouteMessages.nextHop(group: Array(100..<1_100))
        case .nextHop: dead
        default: RouteMessages.route(attributes: Self.named(9))
        }
      guard let reply = RouteReply(bytes, sequence: 1) else { throw .noAnswer }
      return reply
    }
    #expect(timesAsked == 2 + 32)
    #expect(RouteWord.Verdict([answer]) == .online)
  }

  @Test func `a group within a group is not followed`() {
    let group = RouteMessages.nextHop(group: [9, 9])
    #expect(RouteWord.Verdict([answer([9: group])]) == .online)
  }

  @Test func `a next-hop object that drops every packet is a blackhole`() {
    let blackhole = RouteMessages.nextHop(attributes: RouteMessages.attribute(4, []))
    #expect(answer([9: blackhole]) == .noRoute(.blackhole))
  }

  @Test func `an unavailable next-hop object leaves the route as it is`() {
    #expect(RouteWord.Verdict([answer([:])]) == .online)
    #expect(RouteWord.Verdict([answer([9: RouteMessages.route()])]) == .online)
    #expect(RouteWord.Verdict([answer([9: []])]) == .online)
  }

  @Test func `a next-hop object in answer to a route query is no answer`() throws {
    let reply = try #require(RouteReply(RouteMessages.nextHop(interface: 3), sequence: 1))
    #expect(RouteAnswer(for: Self.origin) { _ in reply } == .failed("netlink: EPROTO"))
  }

  @Test func `no object is queried where the route lists its next hops`() {
    let told = [
      RouteMessages.attribute(4, RouteMessages.number(3)),
      RouteMessages.attribute(9, RouteMessages.hop(interface: 3, flags: 0)),
    ]
    for attribute in told {
      var questions: [RouteQuestion] = []
      _ = RouteAnswer(for: Self.origin) { question throws(ErrorNumber) in
        questions.append(question)
        let bytes = RouteMessages.route(attributes: attribute + Self.named(9))
        guard let reply = RouteReply(bytes, sequence: 1) else { throw .noAnswer }
        return reply
      }
      #expect(questions == [.entry(Self.origin)])
    }
  }

  @Test func `a router of the other family is read`() throws {
    let via = RouteMessages.attribute(18, [10, 0] + [UInt8](repeating: 0, count: 15) + [7])
    let hops = RouteMessages.attribute(
      9, RouteMessages.hop(interface: 3, flags: 0, attributes: via))
    for attributes in [via, hops] {
      let bytes = RouteMessages.route(attributes: attributes)
      guard case .route(let route) = try #require(RouteReply(bytes, sequence: 1)) else {
        Issue.record("it is no route")
        return
      }
      #expect((route.gateway ?? route.hops.first?.gateway) == 7)
    }
  }

  @Test func `a group with a partial member is no answer`() {
    let odd = RouteMessages.attribute(2, [UInt8](repeating: 0, count: 12))
    #expect(RouteReply(RouteMessages.nextHop(attributes: odd), sequence: 1) == nil)
  }
}
