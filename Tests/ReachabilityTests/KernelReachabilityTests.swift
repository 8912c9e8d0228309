import FreshStoreTesting
import Glibc
import Platform
import Strategies
import Testing

@testable import Reachability

@Suite struct KernelReachabilityTests {
  private static let origin = IPAddress.v4(0xCB00_7109)

  @Test(arguments: [IPAddress.v4(0x7F00_0001), .v4(0x7F12_3456), .v4(0)])
  func `loopback is online on this machine`(target: IPAddress) {
    #expect(KernelReachability(target: target).reachability() == .online)
  }

  @Test(arguments: [
    (IPAddress.v4(0), IPAddress.v4(0x7F00_0001)), (.v6(0), .v6(1)),
    (.v6(0xFFFF_CB00_7109), .v4(0xCB00_7109)), (.v6(0xFFFF_0000_0000), .v4(0x7F00_0001)),
    (.v4(1), .v4(1)), (.v6(2), .v6(2)),
  ])
  func `an address is looked up by the address that a connection would use`(
    given: IPAddress, asked: IPAddress
  ) {
    #expect(given.routed == asked)
  }

  @Test(arguments: [ENETUNREACH, EHOSTUNREACH, EINVAL, EACCES, EADDRNOTAVAIL])
  func `the errors of the routing table prove that there is no route`(code: Int32) {
    let error = ErrorNumber(code)
    #expect(
      RouteProbe.answer(toRefusal: error, to: Self.origin) == .noRoute("203.0.113.9: \(error)"))
  }

  @Test(arguments: [
    EPERM, ENOSYS, EMFILE, ENFILE, EAFNOSUPPORT, EPROTONOSUPPORT, EAGAIN, ENOBUFS, ETIMEDOUT,
  ])
  func `every other error says nothing about the network`(code: Int32) {
    let error = ErrorNumber(code)
    #expect(
      RouteProbe.answer(toRefusal: error, to: Self.origin)
        == .failed("connect to 203.0.113.9: \(error)"))
  }

  @Test func `one address with a route is online, whatever the other addresses are`() {
    let answers: [IPAddress: RouteProbe.Answer] = [
      .v4(1): .noRoute("a"), .v4(2): .failed("b"), .v4(3): .route,
    ]
    let state = RouteProbe.reachability(of: [.v4(1), .v4(2), .v4(3), .v4(4)]) { target in
      answers[target] ?? .noRoute("asked after the answer was known")
    }
    #expect(state == .online)
  }

  @Test func `a failed question keeps the other answers from being a proof`() {
    let state = RouteProbe.reachability(of: [.v4(1), .v4(2)]) { target in
      target == .v4(1) ? .noRoute("no route") : .failed("EMFILE")
    }
    #expect(state == .unknown("EMFILE"))
  }

  @Test func `without an address the state is unknown`() {
    #expect(
      KernelReachability(targets: []).reachability()
        == .unknown("there is no address to ask about"))
  }

  @Test func `asking leaves no descriptor open, whatever the answer`() async throws {
    let descriptors = try await IsolatedThread.run {
      try IsolatedThread.takeOwnDescriptors()
      return (0..<20).map { _ in
        _ = KernelReachability().reachability()
        _ = RouteTableReachability().reachability()
        let next = dup(0)
        close(next)
        return next
      }
    }
    #expect(Set(descriptors).count == 1)
  }
}
