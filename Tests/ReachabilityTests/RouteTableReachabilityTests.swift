import Foundation
import Strategies
import Testing

@testable import Reachability

@Suite struct RouteTableReachabilityTests {
  private static let gateway = "va\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n"

  /// Asks about the well-known addresses in a directory that holds these files.
  private func reachability(
    of targets: [IPAddress] = IPAddress.wellKnown, in files: [String: String]
  ) throws -> Reachability {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "routes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer {
      do {
        try FileManager.default.removeItem(at: directory)
      } catch {
        Issue.record(error)
      }
    }
    for (name, text) in files {
      try Data(text.utf8).write(to: directory.appending(path: name))
    }
    return RouteTableReachability(targets: targets, directory: directory.path()).reachability()
  }

  @Test func `a table with a default route is online`() throws {
    #expect(try reachability(in: ["route": Self.gateway, "ipv6_route": ""]) == .online)
  }

  @Test func `empty tables of both families prove being offline`() throws {
    #expect(try reachability(in: ["route": "", "ipv6_route": ""]).isProvablyOffline)
  }

  @Test func `a kernel without IPv6 is offline when IPv4 is`() throws {
    #expect(try reachability(in: ["route": ""]).isProvablyOffline)
  }

  @Test func `without the IPv4 table the state is unknown`() throws {
    #expect(try reachability(in: [:]).code == "reachability-unknown")
    #expect(try reachability(in: ["ipv6_route": ""]).code == "reachability-unknown")
  }

  @Test func `a missing IPv6 table proves nothing where no table is readable`() throws {
    let target = IPAddress.v6(0x2001_0503_BA3E_0000_0000_0000_0002_0030)
    #expect(try reachability(of: [target], in: [:]).code == "reachability-unknown")
    #expect(try reachability(of: [target], in: ["route": ""]).isProvablyOffline)
  }

  @Test func `a table longer than the limit does not prove that there is no route`() throws {
    let other = "va\t00004D0A\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n"
    let long = String(
      repeating: other, count: RouteTableReachability.readLimit / other.utf8.count + 1)
    let state = try reachability(in: ["route": long, "ipv6_route": ""])
    #expect(state.code == "reachability-unknown")
    #expect(try reachability(in: ["route": Self.gateway + long, "ipv6_route": ""]) == .online)
  }

  @Test(arguments: [(63, "offline"), (64, "reachability-unknown")])
  func `a table of 64 of the kernel's lines, which is 8 KiB, is not read whole`(
    lines: Int, code: String
  ) throws {
    let fields = "va\t00004D0A\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0"
    let line = fields + String(repeating: " ", count: 127 - fields.utf8.count) + "\n"
    let table = String(repeating: line, count: lines)
    #expect(try reachability(in: ["route": table, "ipv6_route": ""]).code == code)
  }

  @Test func `loopback is unknown where it is not listed`() throws {
    let state = try reachability(
      of: [.v4(0x7F00_0001), .v6(1)], in: ["route": "", "ipv6_route": ""])
    #expect(state.code == "reachability-unknown")
  }

  @Test func `without an address the state is unknown`() throws {
    let state = try reachability(of: [], in: ["route": "", "ipv6_route": ""])
    #expect(state == .unknown("there is no address to ask about"))
  }

  @Test func `the tables of this machine are read`() {
    let provider: some ReachabilityProvider = .routeTable
    #expect(["online", "offline"].contains(provider.reachability().code))
  }
}
