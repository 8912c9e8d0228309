#if CommandLine
  import Glibc
  import OriginServer
  import Testing

  /// Files that options name: a missing one has the same exit code everywhere, and none is waited for.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct NamedFileTests {
    /// Verbs with a file in the place of `FILE`.
    private static let commands = [
      "get http://127.0.0.1:1/ --cacert FILE", "get http://127.0.0.1:1/ --cert FILE",
      "get http://127.0.0.1:1/ --cert /dev/null --key FILE",
      "get http://127.0.0.1:1/ --headers FILE", "get http://127.0.0.1:1/ --netrc-file FILE",
      "get http://127.0.0.1:1/ --rules FILE", "explain http://127.0.0.1:1/ --cert FILE",
      "sync run --once --cacert FILE", "sync run --once --headers FILE",
      "sweep --refetch --netrc-file FILE", "validate --rules FILE",
    ]

    private func run(
      _ command: String, with file: String, in playground: Playground
    ) async throws -> Playground.Run {
      let words = command.replacing("FILE", with: playground.file(file))
      let place = command.hasPrefix("validate") ? "" : "--db \"$db\""
      return try await playground.runShell(
        """
        export FRESHSTORE_REACHABILITY=online
        mkfifo "$folder/pipe"; mkdir "$folder/folder"
        exec timeout 30 freshstore \(words) \(place) < /dev/null
        """)
    }

    @Test(arguments: commands, ["missing", "pipe", "folder"])
    func `a file that cannot be read ends with 74 before anything is done`(
      command: String, file: String
    ) async throws {
      let playground = try Playground()
      let run = try await run(command, with: file, in: playground)
      #expect(run.status == 74, "\(run.status) \(run.error)")
      #expect(run.error.contains("\(playground.file(file))\" cannot be read: "), "\(run.error)")
      #expect(run.error.contains("named pipe") == (file == "pipe"), "\(run.error)")
      #expect(unsafe access(playground.database, F_OK) != 0)
    }

    @Test(arguments: ["missing", "pipe", "folder"])
    func `a configuration that a variable names and cannot be read ends with 74, too`(
      file: String
    ) async throws {
      let playground = try Playground()
      let run = try await playground.runShell(
        """
        mkfifo "$folder/pipe"; mkdir "$folder/folder"
        export FRESHSTORE_CONFIG="$folder/\(file)"
        exec timeout 30 freshstore get http://127.0.0.1:1/ --online --db "$db"
        """)
      #expect(run.status == 74, "\(run.status) \(run.error)")
      #expect(run.error.contains("cannot be read: "), "\(run.error)")
    }

    @Test(arguments: ["missing", "pipe", "folder"])
    func `without the issuers of SSL_CERT_FILE only what needs them fails`(
      file: String
    ) async throws {
      let origin = try await OriginServer.start { _ in .init(body: "there") }
      let run = try await Playground().runShell(
        """
        mkfifo "$folder/pipe"; mkdir "$folder/folder"
        export SSL_CERT_FILE="$folder/\(file)"
        timeout 30 freshstore get \(origin.url("/a")) --online --db "$db"
        timeout 30 freshstore get https://127.0.0.1:\(origin.port)/a --online --db "$db" || echo " $?"
        """)
      await origin.stop()
      #expect(run.text == "there 5\n", "\(run.error)")
      #expect(run.error.contains("(SSL_CERT_FILE); no source with https is trusted"))
    }

    @Test func `a pipe that is open already is read`() async throws {
      let run = try await Playground().runShell(
        """
        printf 'http://127.0.0.1 A: b' | freshstore explain http://127.0.0.1/ --headers /dev/stdin --db "$db"
        echo "$?"
        echo 5 > "$folder/five.json"
        printf '{"type": "number"}' | freshstore validate --rules /dev/stdin "$folder/five.json"
        echo "$?"
        """)
      #expect(run.text == "4\n0\n", "\(run.text) \(run.error)")
      #expect(!run.error.contains("cannot be read"), "\(run.error)")
    }
  }
#endif
