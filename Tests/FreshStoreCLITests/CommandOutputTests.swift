#if CommandLine
  import Glibc
  import Testing

  /// The end of a command's output, and the fate of a command that does not end it.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct CommandOutputTests {
    /// The output of `seq 1 200000`: more than a pipe holds.
    private static let numbers = (1...200_000).map { "\($0)\n" }.joined()

    @Test(arguments: [
      "seq 1 200000", "seq 1 200000 & exit 0", "(seq 1 100000; seq 100001 200000) & exit 0",
    ])
    func `A value is complete, whichever process of the command writes it`(script: String)
      async throws
    {
      let playground = try Playground()
      let run = try await playground.run("get", "k", "--", "sh", "-c", script)
      #expect(run.status == 0)
      #expect(run.text == Self.numbers)
      #expect(try await playground.run("show", "k").text == Self.numbers)
    }

    @Test func `A process that holds the output beyond the timeout fails the fetch and is ended`()
      async throws
    {
      let playground = try Playground()
      let (started, go) = (try playground.pipe("started"), try playground.pipe("go"))
      let children = ProcessNumbers()
      let script = "printf half; cat \"$1\" & echo $! > \"$0\"; exit 0"
      let run = try await playground.run(
        "get", "k", "--timeout", "300ms", "--", "sh", "-c", script, started.path, go.path
      ) { _ in children.add(try #require(pid_t(await started.line()))) }
      #expect(run.status == 5)
      #expect(run.output.isEmpty)
      #expect(run.error.contains("took longer than"))
      #expect(await children.haveEnded())
      #expect(try await playground.run("show", "k").status == 4)
    }

    @Test func `A background process that does not hold the output is left running`() async throws {
      let playground = try Playground()
      let (started, go) = (try playground.pipe("started"), try playground.pipe("go"))
      let script =
        "{ echo $$ > \"$0\"; read line < \"$1\"; echo $line > \"$0\"; } > /dev/null & printf v"
      let run = try await playground.run(
        "get", "k", "--", "sh", "-c", script, started.path, go.path)
      #expect(run.text == "v")
      _ = await started.line()
      go.write("alive")
      #expect(await started.line() == "alive")
    }

    @Test func `A command inherits only the three standard descriptors`() async throws {
      let run = try await Playground().runShell(
        """
        exec freshstore get k --db "$db" 5< /dev/null -- \
          sh -c 'for f in 0 1 2 3 4 5 6 7 8 9; do [ -e /proc/$$/fd/$f ] && printf $f; done; true'
        """)
      #expect(run.text == "012")
    }

    @Test(arguments: [("no-such-program-anywhere", "No such file"), ("/etc", "denied")])
    func `The error about a command that cannot be run states the reason`(
      program: String, words: String
    ) async throws {
      let run = try await Playground().run("get", "k", "--", program)
      #expect(run.status == 5)
      #expect(run.error.contains("\(program) could not be run"))
      #expect(run.error.contains(words))
    }

    @Test func `A command ended by a signal is a failed fetch`() async throws {
      let run = try await Playground().run("get", "k", "--", "sh", "-c", "printf v; kill -9 $$")
      #expect(run.status == 5)
      #expect(run.error.contains("signal 9"))
    }

    @Test func `A get that waits for another process's fetch ends with its own timeout`()
      async throws
    {
      let playground = try Playground()
      let (started, go) = (try playground.pipe("started"), try playground.pipe("go"))
      let script = "echo started > \"$0\"; read line < \"$1\"; printf late"
      let holder = try await playground.run(
        "get", "k", "--", "sh", "-c", script, started.path, go.path
      ) { _ in
        #expect(await started.line() == "started")
        let waiter = try await playground.run("get", "k", "--timeout", "200ms", "--", "printf", "v")
        #expect(waiter.status == 5)
        #expect(waiter.error.contains("another owner was fetching it"))
        go.write("go")
      }
      #expect(holder.text == "late")
    }
  }
#endif
