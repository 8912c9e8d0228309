#if CommandLine
  import Glibc
  import Testing

  @Suite(.serialized, .timeLimit(.minutes(2))) struct InterruptionTests {
    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
    func `A signal ends the command, gives the lease back and prints nothing`(
      signal: Int32, status: Int32
    ) async throws {
      let playground = try Playground()
      let (started, go) = (try playground.pipe("started"), try playground.pipe("go"))
      let script = "echo started > \"$0\"; read line < \"$1\"; printf late"
      let run = try await playground.run(
        "get", "k", "--", "sh", "-c", script, started.path, go.path
      ) { process in
        #expect(await started.line() == "started")
        kill(process, signal)
      }
      #expect(run.status == status)
      #expect(run.output.isEmpty)
      #expect(run.error == "")
      let explanation = try await playground.run("explain", "k", "--json").object
      #expect(explanation["fetchedBy"] == nil)
      // The next get need not wait for a lease.
      #expect(try await playground.run("get", "k", "--", "printf", "next").text == "next")
    }

    @Test func `An interrupted command and its child processes are ended`() async throws {
      let playground = try Playground()
      let (started, go) = (try playground.pipe("started"), try playground.pipe("go"))
      let script = "cat \"$1\" & echo $! > \"$0\"; wait"
      let children = ProcessNumbers()
      let run = try await playground.run(
        "get", "k", "--", "sh", "-c", script, started.path, go.path
      ) { process in
        children.add(try #require(pid_t(await started.line())))
        kill(process, SIGINT)
      }
      #expect(run.status == 130)
      #expect(await children.haveEnded())
    }

    @Test(arguments: [("HUP", SIGHUP), ("INT", SIGINT)])
    func `A signal that was ignored from the start is ignored, by the command as well`(
      name: String, signal: Int32
    ) async throws {
      let playground = try Playground()
      let (started, go) = (try playground.pipe("started"), try playground.pipe("go"))
      let run = try await playground.runShell(
        """
        trap '' \(name)
        freshstore get k --db "$db" -- sh -c '
          grep SigIgn /proc/self/status; echo started > "$0"; read line < "$1"; printf late' \
          "\(started.path)" "\(go.path)" &
        read line < "\(started.path)"
        kill -\(name) $!
        # Handled in its order: the signal is before the word.
        echo go > "\(go.path)"
        wait $!
        """)
      #expect(run.status == 0)
      #expect(run.text.hasSuffix("late"))
      let mask = try #require(run.text.split(separator: "\n").first?.split(separator: "\t").last)
      let ignored = try #require(UInt64(mask, radix: 16))
      #expect(ignored & (1 << UInt64(signal - 1)) != 0)
      // A signal that only freshstore itself ignores is not ignored: a closed pipe ends a command.
      #expect(ignored & (1 << UInt64(SIGPIPE - 1)) == 0)
    }

    /// The end of a terminal, or a HUP by mistake, is no order to stop: a supervisor starts it again.
    @Test(arguments: [(SIGTERM, 0), (SIGINT, 0), (SIGHUP, 129)] as [(Int32, Int32)])
    func `A daemon that receives a signal as soon as it listens ends`(
      signal: Int32, status: Int32
    ) async throws {
      let playground = try Playground()
      let run = try await playground.runAlone(
        ["sync", "run", "--db", playground.database, "--grace", "1m"]
      ) { process in
        while !Self.catches(signal, process) { await Task.yield() }
        kill(process, signal)
      }
      #expect(run.status == status)
      #expect(run.error == "freshstore: stopped: nothing to do\n")
    }

    /// True once the process has a handler for the signal.
    private static func catches(_ signal: Int32, _ process: pid_t) -> Bool {
      guard let file = unsafe fopen("/proc/\(process)/status", "r") else { return true }
      defer { unsafe fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 8192)
      let count = unsafe fread(&bytes, 1, bytes.count, file)
      let lines = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n")
      let caught = lines.first { $0.hasPrefix("SigCgt:") }?.split(separator: "\t").last
      let mask = caught.flatMap { UInt64($0, radix: 16) } ?? 0
      return mask & (1 << UInt64(signal - 1)) != 0
    }

    @Test func `A get that does not end in order is killed`() async throws {
      let playground = try Playground()
      // Standard output is a pipe that nobody reads: its writer cannot be cancelled.
      let run = try await playground.runShell(
        """
        mkfifo "$folder/out"; exec 3<> "$folder/out"
        freshstore get k --online --db "$db" -- sh -c 'head -c 1000000 /dev/zero' >&3 2> "$folder/error" &
        until freshstore show k --db "$db" | head -c 1 | grep -q ''; do :; done
        kill -TERM $!
        wait $!; echo $?; cat "$folder/error"
        """)
      #expect(run.text == "143\nfreshstore: it did not end in 5 s and is ended\n")
    }

    @Test func `A closed pipe ends the command quietly with 141`() async throws {
      let playground = try Playground()
      let run = try await playground.runShell(
        """
        { freshstore get k --online --db "$db" -- head -c 1000000 /dev/zero
          echo $? > "$folder/status"; } | head -c 1
        cat "$folder/status"
        """)
      #expect(run.output == [0] + Array("141\n".utf8))
      #expect(run.error == "")
    }

    @Test func `A value fetched for a closed pipe is stored`() async throws {
      let playground = try Playground()
      _ = try await playground.runShell(
        """
        { freshstore get k --online --db "$db" -- head -c 1000000 /dev/zero; } | head -c 1
        """)
      #expect(try await playground.run("show", "k").output.count == 1_000_000)
    }

    @Test(arguments: ["> /dev/full", ">&-"])
    func `Standard output that cannot be written exits with 74`(redirection: String) async throws {
      let run = try await Playground().runShell(
        "freshstore get k --online --db \"$db\" -- printf v \(redirection); echo $?")
      #expect(run.text == "74\n")
      #expect(run.error.contains("standard output"))
    }
  }
#endif
