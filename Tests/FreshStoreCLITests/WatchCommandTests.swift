#if CommandLine
  import Glibc
  import Testing

  @Suite(.serialized, .timeLimit(.minutes(2))) struct WatchCommandTests {
    /// Runs a watch, then a script once the watch is ready, and waits for the watch; returns its output.
    private func watch(
      _ arguments: String, prefix: String = "", while script: String, in playground: Playground
    ) async throws -> Playground.Run {
      try await playground.runShell(
        """
        mkfifo "$folder/said"
        \(prefix) freshstore watch --db "$db" --verbose \(arguments) 2> "$folder/said" &
        watch=$!
        exec 3< "$folder/said"
        read line <&3
        echo "$line" >&2
        { \(script); } > /dev/null
        wait $watch
        echo "status $?"
        """)
    }

    private let puts = """
      echo v | freshstore put k --db "$db"; freshstore mark k --db "$db"; \
      freshstore mark --tag t --db "$db"; freshstore remove k --db "$db"
      """

    @Test func `each change by another command is a line`() async throws {
      let run = try await watch("--count 4", while: puts, in: Playground())
      #expect(
        run.text == "stored\tdefault\tk\nmarked\tdefault\tk\nmarked\t-\t-\nremoved\tdefault\tk\n"
          + "status 0\n")
      #expect(run.error.contains("at rest"))
    }

    @Test func `each change is one JSON object`() async throws {
      let run = try await watch("--json --count 3", while: puts, in: Playground())
      let time = /"at":"[0-9T:.-]+Z",/
      #expect(run.text.matches(of: time).count == 3)
      #expect(
        run.text.replacing(time, with: "") == """
          {"collection":"default","key":"k","kind":"stored","missed":0}
          {"collection":"default","key":"k","kind":"marked","missed":0}
          {"kind":"marked","missed":0}
          status 0

          """)
    }

    @Test func `a command is run for each change, and learns of it by its environment`()
      async throws
    {
      let command =
        #"sh -c 'echo "[$FRESHSTORE_KIND|$FRESHSTORE_COLLECTION|$FRESHSTORE_KEY]"; exit 3'"#
      let run = try await watch("--count 3 -- \(command)", while: puts, in: Playground())
      #expect(run.text == "[stored|default|k]\n[marked|default|k]\n[marked||]\nstatus 0\n")
    }

    @Test(
      .enabled("namespaces need root, or user namespaces") {
        try await Playground().runShell("unshare -rpf --mount-proc true").status == 0
      })
    func `as the first process it releases the orphans of its commands`() async throws {
      // The first command leaves one behind. Each later end of a command releases what has ended by then.
      let command =
        #"sh -c '[ -e "$folder/once" ] || { : > "$folder/once"; sleep 0.1 & }; : > "$folder/ran"'"#
      let script = #"""
        read -r first < "/proc/$watch/task/$watch/children"
        for round in $(seq 20); do
          rm -f "$folder/ran"
          echo v | freshstore put "k$round" --db "$db"
          until [ -e "$folder/ran" ]; do sleep 0.02; done
          sleep 0.1
          cat "/proc/$first"/task/*/children | grep -q '[0-9]' || { echo clean >&2; break; }
        done
        kill -TERM "$first"
        """#
      let run = try await watch(
        "-- \(command)", prefix: "unshare -rpf --mount-proc", while: script, in: Playground())
      #expect(run.error.contains("clean"), "\(run.error)")
    }

    @Test(arguments: [("other", "stored\tother\tk"), ("other k", "stored\tother\tk")])
    func `only the named collection and key are reported`(
      names: String, line: String
    ) async throws {
      let script = """
        echo v | freshstore put k --db "$db"; echo v | freshstore put k --collection other --db "$db"
        """
      let run = try await watch("\(names) --count 1", while: script, in: Playground())
      #expect(run.text == "\(line)\nstatus 0\n")
    }

    @Test(arguments: [("--timeout 50ms", 0), ("--timeout 50ms --count 1", 4)])
    func `a time limit ends the watch`(arguments: String, status: Int) async throws {
      let run = try await watch(arguments, while: ":", in: Playground())
      #expect(run.text == "status \(status)\n")
    }

    @Test(arguments: [("INT", 130), ("TERM", 143)])
    func `a signal ends the watch, and it leaves nothing in the file`(
      signal: String, status: Int
    ) async throws {
      let playground = try Playground()
      // A shell without job control has its children in the background ignore SIGINT.
      let run = try await watch(
        "", prefix: "env --default-signal=INT", while: "kill -\(signal) $watch", in: playground)
      #expect(run.text == "status \(status)\n")
      #expect(try await playground.runShell("test -e \"$db-wal\"").status == 1)
    }

    @Test func `a closed pipe ends the watch with 141`() async throws {
      let run = try await Playground().runShell(
        """
        mkfifo "$folder/said"
        { freshstore watch --db "$db" --verbose 2> "$folder/said"; echo $? > "$folder/status"; } \
        | head -n 1 &
        exec 3< "$folder/said"
        read line <&3
        for key in 1 2 3 4 5 6 7 8; do
          test -e "$folder/status" || echo v | freshstore put $key --db "$db"
        done > /dev/null
        wait
        cat "$folder/status"
        """)
      #expect(run.text == "stored\tdefault\t1\n141\n")
    }

    @Test(
      .enabled("a limit of inotify of its own needs user namespaces") {
        let script = "echo 0 > /proc/sys/user/max_inotify_instances"
        return try await Playground().runShell("unshare -rU sh -c '\(script)'").status == 0
      })
    func `without the kernel's announcements the watch polls for changes, and says so`()
      async throws
    {
      let prefix = """
        unshare -rU sh -c 'echo 0 > /proc/sys/user/max_inotify_instances; exec "$@"' sh
        """
      let run = try await watch("--count 4", prefix: prefix, while: puts, in: Playground())
      #expect(run.text.split(separator: "\n").count == 5)
      #expect(run.text.hasSuffix("removed\tdefault\tk\nstatus 0\n"))
      #expect(run.error.contains("looking again and again"))
    }

    @Test(arguments: [["watch", "--count", "0"], ["watch", ""], ["watch", "c", ""]])
    func `invalid arguments are refused`(arguments: [String]) async throws {
      #expect(try await Playground().runAlone(arguments).status == 64)
    }
  }
#endif
