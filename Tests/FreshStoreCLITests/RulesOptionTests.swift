#if CommandLine
  import Foundation
  import Testing

  /// `--rules` and `--scenario` where values are stored and served: put, get and explain.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct RulesOptionTests {
    private static let rules = """
      {"type": "object", "fields": {
        "title": {"trim": true, "required": "notBlank"},
        "language": {"default": "en"},
        "author": {"required": true, "on": ["create"]}}}
      """

    private func playground() throws -> Playground {
      let playground = try Playground()
      try Data(Self.rules.utf8).write(to: URL(fileURLWithPath: playground.file("rules.json")))
      return playground
    }

    private func put(
      _ document: String, _ options: String..., in playground: Playground
    ) async throws -> Playground.Run {
      try await playground.runShell(
        """
        printf '%s' '\(document)' | freshstore put k --db "$db" --rules "$folder/rules.json" \
          \(options.joined(separator: " "))
        """)
    }

    @Test(arguments: [
      (#"{"title": " one "}"#, #"{"title":"one","language":"en"}"#),
      (#"{"title": "one",   "language": "nl"}"#, #"{"title": "one",   "language": "nl"}"#),
    ])
    func `The rules' steps apply to a put value, and an unchanged value is stored byte for byte`(
      document: String, stored: String
    ) async throws {
      let playground = try playground()
      let run = try await put(document, in: playground)
      #expect(run.status == 0)
      #expect(try await playground.run("show", "k").text == stored)
    }

    @Test func `A fetched value is printed and stored after the rules' steps`()
      async throws
    {
      let playground = try playground()
      let run = try await playground.run(
        "get", "k", "--rules", playground.file("rules.json"), "--", "printf",
        #"{"title": " one "}"#)
      #expect(run.text == #"{"title":"one","language":"en"}"#)
      #expect(try await playground.run("show", "k").text == run.text)
    }

    @Test func `A scenario decides which values can be put`() async throws {
      let playground = try playground()
      let refused = try await put(
        #"{"title": "one"}"#, "--scenario create", in: playground)
      let stored = try await put(
        #"{"title": "one", "author": "ada"}"#, "--scenario create", in: playground)
      #expect(refused.status == 6 && refused.error.contains("author"))
      #expect(stored.status == 0)
    }

    @Test func `A scenario decides which values are served and how that is explained`() async throws
    {
      let playground = try playground()
      let rules = playground.file("rules.json")
      _ = try await put(#"{"title": "one"}"#, in: playground)
      let plain = try await playground.run("explain", "k", "--rules", rules)
      let create = try await playground.run(
        "explain", "k", "--rules", rules, "--scenario", "create")
      let got = try await playground.run(
        "get", "k", "--rules", rules, "--scenario", "create", "--", "printf",
        #"{"title": "two", "author": "ada", "language": "nl"}"#)
      #expect(plain.text.contains("a get would: serve the copy"))
      #expect(create.text.contains("the stored value breaks its rules: author"))
      #expect(got.text == #"{"title": "two", "author": "ada", "language": "nl"}"#)
    }

    @Test(arguments: ["put", "get", "explain"])
    func `A scenario without rules is a mistake`(verb: String) async throws {
      let run = try await Playground().runAlone([verb, "k", "--scenario", "create"])
      #expect(run.status == 64)
      #expect(run.error.contains("a --scenario is one of the --rules; name their file"))
    }

    @Test func `The other options of a get apply together with its rules`() async throws {
      let playground = try playground()
      let rules = playground.file("rules.json")
      let old = #"{"title": "old", "language": "nl"}"#
      _ = try await playground.run(
        "get", "k", "--expiry", "0", "--rules", rules, "--", "printf", old)
      let run = try await playground.run(
        "get", "k", "--stale-if-error", "1h", "--rules", rules, "--", "false")
      #expect(run.text == old)
      #expect(run.error.contains("serving a stale copy"))
    }

    @Test func `A requirement is checked together with the rules`() async throws {
      let playground = try playground()
      let run = try await put("", "--require nonempty", in: playground)
      #expect(run.status == 6)
      #expect(run.error.contains("(not-json)") && run.error.contains("(not-empty)"))
    }
  }
#endif
