#if CommandLine
  import Subprocess
  import Testing

  /// What the command does where the kernel itself says that nothing can be reached: in a network
  /// namespace without a single route.
  @Suite(
    .serialized,
    .enabled("a network namespace needs root, or user namespaces") {
      try await Playground().runShell("unshare -rn true").status == 0
    })
  struct UnreachableTests {
    private static let get = #"unshare -rn freshstore get --db "$db" "#

    @Test func `a named host out of reach fails at once`() async throws {
      let run = try await Playground().runShell(Self.get + "http://origin.example/")
      #expect(run.status == 4)
      #expect(run.error.contains("out of reach"))
    }

    @Test func `a command without a copy is run, as it may need no network`() async throws {
      let run = try await Playground().runShell(Self.get + "k -- printf value")
      #expect(run.status == 0)
      #expect(run.text == "value")
    }

    @Test func `a stale copy is served, and its command is not run`() async throws {
      let playground = try Playground()
      let first = try await playground.runShell(Self.get + "k --expiry 0 -- printf one")
      #expect(first.text == "one")

      let run = try await playground.runShell(Self.get + "k -- printf two")

      #expect(run.status == 0)
      #expect(run.text == "one")
      #expect(run.error.contains("offline"))
    }
  }
#endif
