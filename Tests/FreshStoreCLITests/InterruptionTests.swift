#if CommandLine
  import Glibc
  import Testing

  @Suite(.serialized, .timeLimit(.minutes(2))) struct InterruptionTests {
    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func `A signal ends the command, gives the lease back and says nothing`(
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
      // The next get need not wait for anybody.
      #expect(try await playground.run("get", "k", "--", "printf", "next").text == "next")
    }

    @Test func `An interrupted command and what it started are ended`() async throws {
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

    @Test func `A closed pipe ends it quietly with 141`() async throws {
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

    @Test func `What was fetched for a closed pipe is kept`() async throws {
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
