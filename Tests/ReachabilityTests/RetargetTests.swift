import Foundation
import NetworkStates
import Strategies
import Synchronization
import Testing

@testable import Reachability

/// A monitor whose targets are replaced.
@Suite(.enabled("needs root and ip") { await IsolatedThread.canMakeNetworks.value })
struct RetargetTests {
  private static let origin = IPAddress.v4(0xCB00_7109)
  private static let neighbour = IPAddress.v4(0x0A4D_0001)

  @Test func `the state is that of the new addresses when the call returns`() async throws {
    try await IsolatedThread.run {
      let monitor = try MonitoredNetwork(targets: [Self.origin]).monitor
      #expect(monitor.reachability().isProvablyOffline)
      monitor.retarget([Self.neighbour])
      #expect(monitor.reachability() == .online)
      #expect(monitor.targets == [Self.neighbour])
      monitor.retarget([Self.origin])
      #expect(monitor.reachability().isProvablyOffline)
      monitor.retarget([])
      #expect(monitor.reachability() == .unknown("there is no address to ask about"))
    }
  }

  @Test func `the network is followed for the new addresses`() async throws {
    try await IsolatedThread.run {
      let network = try MonitoredNetwork(targets: [Self.neighbour])
      network.monitor.retarget([Self.origin])
      let lines = ["route add default via 10.77.0.1", "route del default"]
      for (line, code) in zip(lines, ["online", "offline"]) {
        #expect(try network.state(after: [line], expecting: code).code == code)
      }
    }
  }

  @Test func `only a change of routes makes a new generation`() async throws {
    try await IsolatedThread.run {
      let network = try MonitoredNetwork(
        targets: [Self.origin], after: ["route add default via 10.77.0.1"])
      let generation = network.monitor.generation
      let other = IPAddress.v4(0xCB00_710A)
      for targets in [[other], [other, Self.origin], [Self.origin, other], [Self.origin]] {
        network.monitor.retarget(targets)
        _ = try network.stateWhenAskedAgain()
        #expect(network.monitor.generation == generation)
      }
      network.monitor.retarget([Self.neighbour])
      #expect(network.monitor.generation == generation + 1)
      network.monitor.retarget([Self.neighbour, Self.origin])
      #expect(network.monitor.generation == generation + 2)
      network.monitor.retarget([Self.origin])
      #expect(network.monitor.generation == generation + 3)
    }
  }

  @Test func `a network change that the call is the first to notice is a new generation`()
    async throws
  {
    try await IsolatedThread.run {
      let network = try MonitoredNetwork(
        targets: [Self.origin], settings: NetworkWalk.withoutIPv6)
      try network.waitForLinks()
      _ = try network.stateWhenAskedAgain()
      let generation = network.monitor.generation
      try network.useUpQuestions(of: network.monitor)
      try network.setDefaultRoute(true)
      network.monitor.retarget([Self.origin])
      #expect(network.wait { network.monitor.generation == generation + 1 })
    }
  }

  @Test func `readers of changes receive the state of the new addresses`() async throws {
    try await IsolatedThread.run {
      let network = try MonitoredNetwork(
        targets: [Self.origin], settings: NetworkWalk.withoutIPv6)
      try network.waitForLinks()
      let codes = Mutex<[String]>([])
      let changes = network.monitor.changes(settle: .zero)
      let task = Task {
        for await state in changes { codes.withLock { $0.append(state.code) } }
      }
      defer { task.cancel() }
      #expect(network.wait { codes.withLock { $0 } == ["offline"] })
      network.monitor.retarget([Self.neighbour])
      #expect(network.wait { codes.withLock { $0 } == ["offline", "online"] })
    }
  }

  @Test func `concurrent calls leave the state of the last one`() async throws {
    try await IsolatedThread.run {
      let network = try MonitoredNetwork(targets: [Self.origin])
      let monitor = network.monitor
      let running = Atomic(4)
      for _ in 0..<4 {
        Thread.detachNewThread {
          for index in 0..<100 {
            monitor.retarget(index.isMultiple(of: 2) ? [Self.neighbour] : [Self.origin])
          }
          running.wrappingSubtract(1, ordering: .releasing)
        }
      }
      for _ in 0..<50 {
        try network.setDefaultRoute(true)
        try network.setDefaultRoute(false)
      }
      #expect(network.wait { running.load(ordering: .acquiring) == 0 })
      #expect(monitor.targets == [Self.origin])
      #expect(network.wait { monitor.reachability().isProvablyOffline })
      #expect(try network.stateWhenAskedAgain().isProvablyOffline)
    }
  }

  @Test(.enabled("needs seccomp") { await IsolatedThread.canForbidCalls.value })
  func `no answer about the old addresses is kept where netlink is denied`() async throws {
    try await IsolatedThread.run {
      try IsolatedThread.enterNewNetwork()
      try IsolatedThread.addInterface()
      try IsolatedThread.forbidNetlink()
      let monitor = RouteMonitor(target: Self.origin)
      #expect(monitor.reachability().isProvablyOffline)
      monitor.retarget([Self.neighbour])
      #expect(monitor.reachability() == .online)
      #expect(monitor.method == .connect)
    }
  }
}
