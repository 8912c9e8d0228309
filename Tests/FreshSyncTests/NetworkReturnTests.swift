import ChildProcess
import FreshStoreTesting
import Testing

/// A synchronizer in a network namespace of its own, with a route that comes and goes.
@Suite struct NetworkReturnTests {
  @Test(.timeLimit(.minutes(2)))
  func `a drain continues when the route is back`() async throws {
    let folder = try TemporaryFolder()
    let worker = try ChildProcess(beside: "SyncWorker", [folder.file("store.db"), "network"])
    let first = await worker.line()
    guard first != "no network" else {
      print("the test in a network namespace is skipped: no privilege, or no ip")
      return
    }
    #expect(first == "offline")

    try worker.say("up")
    let route = await worker.line().split(separator: " ")
    let fetch = await worker.line().split(separator: " ")

    #expect(route.first == "route" && fetch.first == "fetching")
    let delay = (fetch.last.flatMap { Int($0) } ?? .max) - (route.last.flatMap { Int($0) } ?? 0)
    // The machine may be busy; an idle one takes some 30 milliseconds.
    #expect(delay < 10_000_000_000)
  }
}
