#if CommandLine
  import Foundation
  import Glibc
  import Testing

  /// A command ends in time although others do not.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct EndingTests {
    @Test(arguments: ["http", "https"])
    func `A silent connection holds no get beyond its --timeout`(scheme: String) async throws {
      let port = try SilentPort()
      let start = ContinuousClock.now
      let run = try await Playground().run(
        "get", "\(scheme)://127.0.0.1:\(port.number)/", "--timeout", "1s")
      #expect(run.status == 5)
      #expect(run.error.contains("did not answer within 1 s"))
      // A connection may take 10 s by itself.
      #expect(ContinuousClock.now - start < .seconds(7))
    }

    @Test(arguments: ["http", "https"])
    func `SIGTERM ends a get whose connection is silent`(scheme: String) async throws {
      let port = try SilentPort()
      let run = try await Playground().run("get", "\(scheme)://127.0.0.1:\(port.number)/") {
        process in
        await port.connection()
        kill(process, SIGTERM)
      }
      #expect(run.status == 143)
      #expect(run.error == "")
    }

    @Test(
      arguments: [
        ["--help"], ["--version"], ["put", "k", "/dev/null"], ["list"], ["explain", "k"],
        ["show", "k"], ["show", "missing"], ["sweep"], ["get", "k", "--offline"],
        ["get", "--max-age", "1d", "k", "--offline"],
      ])
    func `A command ends without the clean-up of libraries, in which threads may still be`(
      arguments: [String]
    ) async throws {
      let playground = try Playground()
      _ = try await playground.run("put", "k", "/dev/null")
      let log = playground.file("loader")
      let run = try await playground.run(
        arguments,
        environment: [
          "FRESHSTORE_DB": playground.database, "LD_DEBUG": "files", "LD_DEBUG_OUTPUT": log,
        ])
      #expect(run.output.count > 0 || run.error == "" || run.status != 0)
      let names = try FileManager.default.contentsOfDirectory(atPath: playground.path)
        .filter { $0.hasPrefix("loader.") }
      #expect(!names.isEmpty)
      for name in names {
        let text = try String(contentsOfFile: playground.file(name), encoding: .utf8)
        #expect(text.contains("calling init"))
        #expect(!text.contains("calling fini"))
      }
    }

    @Test func `A daemon whose reader has gone ends as by a closed pipe`() async throws {
      let run = try await Playground().runShell(
        """
        export FRESHSTORE_REACHABILITY=online
        mkfifo "$folder/lines"
        freshstore sync run --json --db "$db" > "$folder/lines" &
        exec 3< "$folder/lines"
        read -r line <&3
        exec 3<&-
        # Something to tell of.
        printf value | freshstore write --db "$db" http://127.0.0.1:9/ > /dev/null
        wait $!
        """)
      #expect(run.status == 141)
    }

    @Test func `A daemon whose first line of output cannot be written ends at once`()
      async throws
    {
      let run = try await Playground().runShell(
        """
        export FRESHSTORE_REACHABILITY=online
        exec taskset -c 0 timeout 30 freshstore sync run --json --db "$db" > /dev/full
        """)
      #expect(run.status == 74)
    }

    @Test(
      .enabled("a network namespace needs root, or user namespaces, and ip") {
        try await Playground().runShell("unshare -rn ip link set lo up").status == 0
      })
    func `A watch of several targets whose reader has gone ends at the next news of one target`()
      async throws
    {
      let run = try await Playground().runShell(
        """
        exec timeout 30 unshare -rn sh -c '
          mkfifo "$folder/lines"
          freshstore reachability --watch 127.0.0.1 192.0.2.7 > "$folder/lines" &
          exec 3< "$folder/lines"
          read -r one <&3
          read -r other <&3
          exec 3<&-
          ip link set lo up
          wait $!'
        """)
      #expect(run.status == 141)
      #expect(run.error == "")
    }

    @Test(arguments: ["& echo hi", "; echo hi"])
    func `Nothing that a command started at a terminal outlives the --timeout`(
      rest: String
    ) async throws {
      let playground = try Playground()
      try Data(
        "echo $$ > \"$folder/shell\"; sh -c 'echo $$ > \"$0\"; exec sleep 600' \"$folder/number\" \(rest)\n"
          .utf8
      )
      .write(to: URL(fileURLWithPath: playground.file("command")))
      let run = try await playground.runShell(
        """
        script -qec 'freshstore get k --db $db --timeout 2s -- sh $folder/command; echo code $?' \
          /dev/null < /dev/null
        number=$(cat "$folder/number")
        while state=$(cut -d ' ' -f 3 "/proc/$number/stat" 2> /dev/null); [ "${state:-Z}" != Z ]; do
          :
        done
        """)
      #expect(run.text.contains("code 5"), "\(run.text)")
    }

    @Test(.enabled("another user needs root", { await OtherUser.isPossible() }))
    func `A command that may not be killed is left behind after the --timeout`()
      async throws
    {
      let run = try await Playground().runShell(
        """
        chmod 777 "$folder"
        cp "$(command -v setpriv)" "$folder/own"
        chmod 4755 "$folder/own"
        code=0
        \(OtherUser.command) freshstore get k --db "$db" --timeout 200ms -- \
          "$folder/own" --reuid 0 --regid 0 --clear-groups \
          sh -c 'echo $$ > "$0"; exec sleep 600' "$folder/number" || code=$?
        kill "$(cat "$folder/number")"
        exit $code
        """)
      #expect(run.status == 5)
      #expect(run.error.contains("cannot be ended and goes on"))
      #expect(run.error.contains("longer than"))
    }
  }
#endif
