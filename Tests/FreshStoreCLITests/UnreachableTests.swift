#if CommandLine
  import Subprocess
  import Testing

  /// The command's behaviour where the kernel itself says that nothing can be reached: in a network
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

    @Test(arguments: ["", "--refresh", "--expiry 0"])
    func `a command is run offline, as it may need no network`(options: String) async throws {
      let playground = try Playground()
      _ = try await playground.runShell(Self.get + "k --expiry 0 -- printf one")
      let run = try await playground.runShell(Self.get + "k \(options) -- printf two")
      #expect(run.status == 0)
      #expect(run.text == "two")
      #expect(run.error.isEmpty)
      #expect(try await playground.run("explain", "k").text.contains("reachability was left out"))
    }

    @Test(arguments: ["--ask-reachability", "FRESHSTORE_REACHABILITY=ask"])
    func `a command declared to need a network is not run without one`(word: String)
      async throws
    {
      let playground = try Playground()
      let variable = word.hasPrefix("--") ? "" : "export \(word); "
      let flag = word.hasPrefix("--") ? word : ""
      let none = try await playground.runShell(variable + Self.get + "k \(flag) -- printf one")
      #expect(none.status == 4)
      #expect(none.error.contains("out of reach"))
      _ = try await playground.runShell(Self.get + "k --expiry 0 -- printf one")
      let stale = try await playground.runShell(variable + Self.get + "k \(flag) -- printf two")
      #expect(stale.text == "one")
      #expect(stale.error.contains("offline"))
    }

    @Test func `every target out of reach is reported, with the reason and the method`()
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

    @Test func `a target is reported as one JSON object`() async throws {
      let object = try await Playground().runShell(
        "unshare -rn freshstore reachability 192.0.2.7 --json"
      ).object
      #expect(object["target"] as? String == "192.0.2.7")
      #expect(object["method"] as? String == "netlink")
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
  }
#endif
