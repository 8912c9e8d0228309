#if CommandLine
  import Testing

  @Suite(.serialized, .timeLimit(.minutes(2))) struct UsageTests {
    @Test(
      arguments: [
        ["get"], ["get", ""], ["get", "", "--", "true"], ["get", "key", "--refresh"],
        ["get", "http://"],
        ["get", "http://user:secret@example.org/"],
        ["get", "k", "--", ""],
        ["get", String(repeating: "k", count: 1025), "--", "true"],
        ["get", "http://example.org/" + String(repeating: "k", count: 1025)],
        ["get", "k", "--offline", "--online", "--", "true"],
        ["get", "k", "--header", "A: b", "--", "true"], ["get", "k", "-HA: b", "--", "true"],
        ["get", "k", "--require", "xml", "--", "true"], ["get", "k", "--tag", "", "--", "true"],
        ["get", "k", "--collection", "", "--", "true"],
        ["get", "k", "--max-size", "0", "--", "true"],
        ["get", "k", "--max-size", "2G", "--", "true"],
        ["get", "k", "--max-size", "ten", "--", "true"],
        ["prune", "--max-total", "99999999999999999999"],
        ["prune", "--max-total", "9223372036854775808"],
        ["prune", "--max-total", "5\u{301}"], ["prune", "--max-total", "10\u{212A}"],
        ["get", "k", "--timeout", "0", "--", "true"],
        ["put", ""], ["show", ""], ["explain", ""], ["remove"], ["remove", ""],
        ["mark"], ["mark", "k", "--all"], ["mark", "--tag", "t", "--prefix", "p"],
        ["mark", "--tag", ""],
        ["mark", "--prefix", ""], ["list", "--tag", ""], ["prune"], ["prune", "--max-count", "-1"],
        ["prune", "--max-total", "-1"], ["prune", "--older-than", "30x"],
        ["sweep", "--limit", "0"],
        ["no-such-verb"], ["get", "k", "--no-such-option", "--", "true"],
      ])
    func `Wrong arguments exit with 64 and say so on standard error`(
      arguments: [String]
    ) async throws {
      let run = try await Playground().runAlone(arguments)
      #expect(run.status == 64)
      #expect(run.output.isEmpty)
      #expect(!run.error.isEmpty)
      #expect(!run.error.contains("secret"))
    }

    @Test(
      arguments: [
        "-5s", "-1", "5 s", "5y", "s", "30m1h", "1h30", "1h1h", "1.5h", "", "99999999999w",
        "9223372036854775807ms", "99999999999999999999s", "nan", "٥s",
        "5\u{301}s",
      ])
    func `An invalid duration is refused, and the valid forms are shown`(text: String) async throws
    {
      for option in ["--expiry", "--stale-if-error", "--timeout"] {
        let run = try await Playground().runAlone(["get", "k", option, text, "--", "true"])
        #expect(run.status == 64)
        #expect(run.error.contains("5m") || run.error.contains("longest"))
      }
    }

    @Test(arguments: [
      "500ms", "30s", "5m", "2h", "7d", "1w", "never", "0", "1600000w", "90", "1h30m",
      "1d2h3m4s5ms",
    ])
    func `Every form of a duration is accepted`(text: String) async throws {
      let run = try await Playground().run("get", "k", "--expiry", text, "--", "printf", "v")
      #expect(run.status == 0)
      #expect(run.text == "v")
    }

    @Test(arguments: ["get", "put", "show", "explain", "mark", "remove"])
    func `A key that is not UTF-8 is refused, never repaired`(verb: String) async throws {
      let playground = try Playground()
      let end: [[UInt8]] = verb == "get" ? [Array("--".utf8), Array("true".utf8)] : []
      let run = try await playground.run(bytes: [Array(verb.utf8), [0x6B, 0xFF]] + end)
      #expect(run.status == 64)
      #expect(run.error.contains("UTF-8"))
    }

    @Test func `Keys of 1,024 bytes and of one are accepted`() async throws {
      let playground = try Playground()
      for key in ["k", String(repeating: "é", count: 512)] {
        #expect(try await playground.run("get", key, "--", "printf", "v").text == "v")
      }
    }

    @Test func `An invalid header is refused, and the error does not repeat its value`()
      async throws
    {
      for header in ["secret", ": secret", "Host: secret", "A B: secret", "A: sec\u{7}secret"] {
        let run = try await Playground().runAlone([
          "get", "http://127.0.0.1:1/", "--header", header,
        ])
        #expect(run.status == 64)
        #expect(!run.error.contains("secret"))
      }
    }

    @Test func `The error about a key that is not a URL names both forms`() async throws {
      let run = try await Playground().runAlone(["get", "weather"])
      #expect(run.error.contains("freshstore get URL"))
      #expect(run.error.contains("freshstore get KEY -- COMMAND"))
    }

    @Test(arguments: [
      (["outbox"], "list, show, retry, send, drop, correct"), (["sync"], "run, status"),
      (["outbox", "lst"], "did you mean 'list'?"), (["sync", "x"], "freshstore sync --help"),
      (["get", "k", "--no-such"], "freshstore: Unknown option '--no-such'"),
    ])
    func `what is mistyped is named in one form`(
      arguments: [String], words: String
    ) async throws {
      let run = try await Playground().runAlone(arguments)
      #expect(run.status == 64)
      #expect(run.error.hasPrefix("freshstore: "), "\(run.error)")
      #expect(run.error.contains(words), "\(run.error)")
    }

    @Test func `a store that is named and missing is mentioned`() async throws {
      let playground = try Playground()
      let run = try await playground.run("list")
      #expect(run.status == 0)
      #expect(run.error.contains("there is no store at \(playground.database) yet"))
    }

    @Test(arguments: [
      ["list"], ["check"], ["mark", "k"], ["stats"], ["prune", "--max-count", "9"],
    ])
    func `--verbose says something in every verb`(arguments: [String]) async throws {
      let playground = try Playground()
      _ = try await playground.run("put", "k", "-", "--expiry", "1h", input: [1])
      let run = try await playground.run(arguments + ["-v", "--db", playground.database])
      #expect(run.error.contains("done in "))
    }

    @Test func `Every verb explains itself with an example`() async throws {
      let playground = try Playground()
      for verb in try await playground.verbs() {
        let run = try await playground.runAlone(
          verb.split(separator: " ").map(String.init) + ["--help"])
        #expect(run.status == 0)
        #expect(run.text.contains("EXAMPLE"), "\(verb)")
        #expect(
          run.text.contains("freshstore \(verb) ") || run.text.contains("freshstore \(verb)\n"))
        #expect(!run.text.contains("refresh-behind"))
      }
    }

    @Test func `No help names an option that no verb has`() async throws {
      let playground = try Playground()
      var (mentioned, known): ([String: String], Set<String>) = ([:], ["--version", "--help"])
      for verb in try await playground.verbs() {
        let text = try await playground.runAlone(
          verb.split(separator: " ").map(String.init) + ["--help"]
        )
        .text
        for line in text.split(separator: "\n") {
          // An option after a double dash belongs to another program.
          let own = line.firstRange(of: " -- ").map { line[..<$0.lowerBound] } ?? line
          for match in own.matches(of: /--[a-z][-a-z]*/) { mentioned[String(match.output)] = verb }
          if let match = line.firstMatch(of: /^  (?:-[a-zA-Z], )?(--[a-z][-a-z\/]*)/) {
            for option in match.output.1.split(separator: "/") { known.insert(String(option)) }
          }
        }
      }
      #expect(mentioned.filter { !known.contains($0.key) } == [:])
    }

    @Test func `The general help lists the exit codes`() async throws {
      let run = try await Playground().runAlone(["--help"])
      for code in ["0 ", "3 ", "4 ", "5 ", "6 ", "7 ", "8 ", "64 ", "71 ", "74 ", "130 "] {
        #expect(run.text.contains("\n  \(code)"))
      }
    }

    @Test func `It prints its version and a completion script for every shell`() async throws {
      let playground = try Playground()
      #expect(try await playground.runAlone(["--version"]).text == "0.2.0\n")
      for shell in ["bash", "zsh", "fish"] {
        let run = try await playground.runAlone(["--generate-completion-script", shell])
        #expect(run.status == 0)
        #expect(run.text.contains("freshstore"))
      }
    }
  }
#endif
