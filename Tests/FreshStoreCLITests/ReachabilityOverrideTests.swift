#if CommandLine
  import Testing

  /// The caller's statements about the network, which override the kernel.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct ReachabilityOverrideTests {
    private static let variable = "FRESHSTORE_REACHABILITY"

    /// A get of a key with a stale copy, from a source that has a new value.
    private func get(_ flags: [String], _ value: String?) async throws -> Playground.Run {
      let playground = try Playground()
      _ = try await playground.run("get", "k", "--expiry", "0", "--", "printf", "old")
      return try await playground.runAlone(
        ["get", "k", "--db", playground.database] + flags + ["--", "printf", "new"],
        environment: value.map { [Self.variable: $0] } ?? [:])
    }

    @Test(
      arguments: [
        ([], "offline", "old"), ([], "online", "new"), ([], "ignore", "new"),
        (["--offline"], nil, "old"), (["--online"], nil, "new"),
        (["--ignore-reachability"], nil, "new"), (["--offline"], "online", "old"),
        (["--online"], "offline", "new"), (["--ignore-reachability"], "offline", "new"),
      ] as [([String], String?, String)])
    func `A flag overrides the variable, and both override the kernel`(
      flags: [String], value: String?, text: String
    ) async throws {
      let run = try await get(flags, value)
      #expect(run.status == 0)
      #expect(run.text == text)
    }

    @Test(arguments: ["yes", "OFFLINE", " offline", "offline,online"])
    func `A variable with an unknown value is refused, and the known values are listed`(
      value: String
    ) async throws {
      let run = try await get([], value)
      #expect(run.status == 64)
      #expect(run.error.contains(Self.variable))
      #expect(run.error.contains("set it to ask, offline, online or ignore"))
    }

    @Test(arguments: [["--offline"], []])
    func `An explanation names the flag or variable that set the state`(flags: [String])
      async throws
    {
      let playground = try Playground()
      _ = try await playground.run("get", "k", "--expiry", "0", "--", "printf", "old")
      let run = try await playground.runAlone(
        ["explain", "k", "--db", playground.database] + flags,
        environment: flags.isEmpty ? [Self.variable: "offline"] : [:])
      #expect(run.text.contains("assumed by \(flags.first ?? Self.variable)"))
    }

    @Test func `The reachability command reports that the variable overrides the kernel`()
      async throws
    {
      let run = try await Playground().runAlone(
        ["reachability", "127.0.0.1"], environment: [Self.variable: "offline"])
      #expect(run.status == 0)
      #expect(run.text.hasPrefix("127.0.0.1: online: there is a route"))
      #expect(run.error.contains("\(Self.variable)=offline"))
    }

    @Test(arguments: ["", "ask"])
    func `A variable that is empty or ask leaves the decision to the kernel`(value: String)
      async throws
    {
      let run = try await Playground().runAlone(
        ["reachability", "127.0.0.1"], environment: [Self.variable: value])
      #expect(run.status == 0)
      #expect(run.error.isEmpty)
    }
  }
#endif
