#if CommandLine && os(Linux)
  import Foundation
  import Glibc
  import Testing

  /// Real processes whose clocks differ (time_namespaces(7)); for root alone.
  @Suite(
    .serialized,
    .enabled("needs root and time namespaces") { await TimeNamespaces.arePossible() })
  struct TimeNamespaceTests {
    private func decision(
      _ playground: Playground, _ clocks: String
    ) async throws -> (outcome: String?, age: Double) {
      let run = try await playground.runShell(
        "unshare -T \(clocks) freshstore explain --db $db k --json")
      let object = try #require(try run.object["decision"] as? [String: Any])
      return (object["outcome"] as? String, object["ageSeconds"] as? Double ?? -1)
    }

    private func playground() async throws -> Playground {
      let playground = try Playground()
      _ = try await playground.run("put", "k", "--expiry", "1h", input: [1])
      return playground
    }

    @Test func `two hours of sleep are two hours of age`() async throws {
      let playground = try await playground()
      let found = try await decision(playground, "--boottime 7200")
      #expect(found.outcome == "stale")
      #expect((7200..<7320).contains(found.age))
    }

    @Test func `the monotonic clock alone gives no age`() async throws {
      let playground = try await playground()
      let found = try await decision(playground, "--monotonic 7200")
      #expect(found.outcome == "fresh")
      #expect((0..<120).contains(found.age))
    }

    @Test func `a sweep in its own time marks old records once`() async throws {
      let playground = try await playground()
      let sweep = "freshstore sweep --db $db"
      let slept = try await playground.runShell("unshare -T --boottime 7200 \(sweep)")
      let here = try await playground.runShell(sweep)
      #expect(slept.text.hasPrefix("marked "))
      #expect(here.text == "marked 0 of 0 looked at\n")
    }
  }
#endif
