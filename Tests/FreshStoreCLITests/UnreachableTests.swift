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

    @Test func `every target out of reach is told, with the reason and the way of asking`()
      async throws
    {
      let run = try await Playground().runShell(
        "unshare -rn freshstore reachability 192.0.2.7 2001:db8::1")
      #expect(run.status == 4)
      #expect(
        run.text == """
          192.0.2.7: offline: no route (netlink, ENETUNREACH) [netlink]
          2001:db8::1: offline: no route (netlink, ENETUNREACH) [netlink]

          """)
    }

    @Test func `one target in reach is enough`() async throws {
      let run = try await Playground().runShell(
        "unshare -rn sh -c 'ip link set lo up; freshstore reachability 127.0.0.1 192.0.2.7'")
      #expect(run.status == 0)
      #expect(run.text.hasPrefix("127.0.0.1: "))
    }

    @Test func `a target is told of as one JSON object`() async throws {
      let object = try await Playground().runShell(
        "unshare -rn freshstore reachability 192.0.2.7 --json"
      ).object
      #expect(object["target"] as? String == "192.0.2.7")
      #expect(object["rung"] as? String == "netlink")
      #expect(object["isProvablyOffline"] as? Bool == true)
    }

    @Test func `a watch prints a line when the state changes`() async throws {
      let run = try await Playground().runShell(
        """
        exec unshare -rn sh -c '
          mkfifo "$folder/lines"
          freshstore reachability --watch 127.0.0.1 > "$folder/lines" &
          exec 3< "$folder/lines"
          read -r first <&3
          ip link set lo up
          read -r second <&3
          kill $!
          printf "%s\n%s\n" "$first" "$second"'
        """)
      #expect(run.text.split(separator: "\n").map { $0.contains("offline") } == [true, false])
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

    @Test(arguments: ["--online", "--ignore-reachability"])
    func `Whoever says that the kernel is wrong has the command run`(flag: String) async throws {
      let playground = try Playground()
      _ = try await playground.runShell(Self.get + "k --expiry 0 -- printf one")

      let run = try await playground.runShell(Self.get + "k \(flag) -- printf two")

      #expect(run.text == "two")
      #expect(run.error.isEmpty)
    }
  }
#endif
