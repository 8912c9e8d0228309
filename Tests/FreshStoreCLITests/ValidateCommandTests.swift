#if CommandLine
  import Foundation
  import Testing

  /// The command applies rules to documents, and to values before it stores them.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct ValidateCommandTests {
    private static let rules = """
      {"type": "object", "fields": {
        "title": {"type": "string", "required": true, "length": {"max": 10}},
        "price": {"type": "number", "min": 0}}}
      """

    private func playground(_ rules: String = rules) throws -> Playground {
      let playground = try Playground()
      try write(rules, to: "rules.json", in: playground)
      return playground
    }

    private func write(_ text: String, to name: String, in playground: Playground) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: playground.file(name)))
    }

    private func validate(
      _ document: String, _ options: String..., in playground: Playground
    ) async throws -> Playground.Run {
      try write(document, to: "document", in: playground)
      let all = options.joined(separator: " ")
      return try await playground.runShell(
        "cd \"$folder\" && exec freshstore validate --rules rules.json \(all) < document")
    }

    @Test func `A valid document prints nothing and exits with 0`() async throws {
      let run = try await validate(#"{"title": "short", "price": 1.5}"#, in: playground())
      #expect(run.status == 0)
      #expect(run.output.isEmpty && run.error.isEmpty)
    }

    @Test func `Every issue of a document is a line with its path and code`() async throws {
      let run = try await validate(#"{"title": "much too long", "price": -1}"#, in: playground())
      #expect(run.status == 6)
      let lines = run.text.split(separator: "\n")
      #expect(lines.count == 2)
      #expect(lines.first?.hasPrefix("standard input: title: ") == true)
      #expect(lines.first?.hasSuffix("(too-long)") == true)
      #expect(lines.last?.contains("price: ") == true)
      #expect(run.error.contains("1 document checked, 1 refused"))
    }

    @Test func `The issues of each document are one JSON object`() async throws {
      let run = try await validate(#"{"title": "much too long"}"#, "--json", in: playground())
      #expect(run.status == 6)
      let object = try run.object
      #expect(object["isValid"] as? Bool == false)
      let issue = try #require((object["issues"] as? [[String: Any]])?.first)
      #expect(issue["path"] as? String == "title")
      #expect(issue["code"] as? String == "too-long")
      #expect((issue["parameters"] as? [String: Any])?["max"] as? Int == 10)
    }

    @Test func `Each line is a document, and a line that is not JSON does not affect the others`()
      async throws
    {
      let text = """
        {"title": "one"}

        {"title": "two"
        {"price": 3}
        """
      let run = try await validate(text, "--lines", in: playground())
      #expect(run.status == 6)
      let lines = run.text.split(separator: "\n").map(String.init)
      #expect(lines.count == 2)
      #expect(lines.first?.hasPrefix("standard input:3: ") == true)
      #expect(lines.first?.hasSuffix("(not-json)") == true)
      #expect(lines.last?.hasPrefix("standard input:4: title: ") == true)
      #expect(run.error.contains("3 documents checked, 2 refused"))
    }

    @Test func `Files are checked by name, and an unreadable one does not end the check`()
      async throws
    {
      let playground = try playground()
      try write(#"{"title": "good"}"#, to: "good.json", in: playground)
      try write("{}\n", to: "bad.jsonl", in: playground)
      let run = try await playground.runShell(
        """
        cd "$folder" && exec freshstore validate --rules rules.json good.json missing.json bad.jsonl
        """)
      #expect(run.status == 74)
      #expect(run.text.hasPrefix("bad.jsonl:1: title: "))
      #expect(run.error.contains("missing.json cannot be read"))
      #expect(run.error.contains("2 documents checked, 1 refused; 1 not readable"))
    }

    @Test(arguments: [
      ("{", "not JSON"), (#"{"feilds": {}}"#, "fields"),
      (#"{"fields": {"a": {"matches": {"pattern": "(", "extent": "whole"}}}}"#, "fields.a"),
      ("[]", "object"),
    ])
    func `Invalid rules exit with 64 and state the place`(
      rules: String, part: String
    ) async throws {
      let run = try await validate("{}", in: playground(rules))
      #expect(run.status == 64)
      #expect(run.output.isEmpty)
      #expect(run.error.contains("rules.json") && run.error.contains(part))
    }

    @Test(arguments: [["--scenario", "nowhere"], ["--scenario", ""]])
    func `An unknown scenario is refused`(options: [String]) async throws {
      let run = try await validate(
        "{}", options[0], "'\(options[1])'", in: playground())
      #expect(run.status == 64)
      #expect(run.error.contains("they have default"))
    }

    @Test func `A value that breaks the rules is not put`() async throws {
      let playground = try playground()
      let refused = try await playground.run(
        "put", "k", "--rules", playground.file("rules.json"), input: Array("{}".utf8))
      #expect(refused.status == 6)
      #expect(refused.error.contains("title"))
      let shown = try await playground.run("show", "k")
      #expect(shown.status == 4)

      let stored = try await playground.run(
        "put", "k", "--rules", playground.file("rules.json"),
        input: Array(#"{"title": "good"}"#.utf8))
      #expect(stored.status == 0)
    }

    @Test func `A fetched value that breaks the rules is refused, and the good copy replaces it`()
      async throws
    {
      let playground = try playground()
      let rules = playground.file("rules.json")
      let good = #"{"title": "good"}"#
      _ = try await playground.run(
        "get", "k", "--expiry", "0", "--rules", rules, "--", "printf", good)
      let alone = try await playground.run("get", "k", "--rules", rules, "--", "printf", "{}")
      let standing = try await playground.run(
        "get", "k", "--rules", rules, "--stale-if-error", "1h", "--", "printf", "{}")
      #expect(alone.status == 6)
      #expect(standing.status == 0)
      #expect(standing.text == good)
    }

    @Test func `A copy that breaks newer rules is fetched again, and explain states the reason`()
      async throws
    {
      let playground = try playground()
      _ = try await playground.run("get", "k", "--", "printf", "{}")
      let explained = try await playground.run(
        "explain", "k", "--rules", playground.file("rules.json"))
      #expect(explained.text.contains("title"))
      #expect(explained.text.contains("a get would: fetch"))
      let run = try await playground.run(
        "get", "k", "--rules", playground.file("rules.json"), "--", "printf",
        #"{"title": "new"}"#)
      #expect(run.text == #"{"title": "new"}"#)
    }
  }
#endif
