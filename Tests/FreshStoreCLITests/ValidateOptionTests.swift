#if CommandLine
  import Foundation
  import Testing

  /// `freshstore validate` with its options: advice, scenarios, limits, names of files.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct ValidateOptionTests {
    private static let rules = """
      {"type": "object", "scenarios": {"create": ["title", "kind"]}, "fields": {
        "title": {"trim": true, "required": "notBlank", "should": {"length": {"max": 5}}},
        "kind": {"required": true, "on": ["create"], "oneOf": ["a", "b"], "name": "known kinds"}}}
      """

    private func validate(
      _ options: String, _ files: [String: String], rules: String = rules
    ) async throws -> Playground.Run {
      let playground = try Playground()
      for (name, text) in files.merging(["rules.json": rules], uniquingKeysWith: { $1 }) {
        try Data(text.utf8).write(to: URL(fileURLWithPath: playground.file(name)))
      }
      return try await playground.runShell(
        "cd \"$folder\" && exec freshstore validate --rules rules.json \(options)")
    }

    private static let advised = ["a.json": #"{"title": "rather long"}"#]

    @Test func `Advice is reported as such, and refuses nothing`() async throws {
      let run = try await validate("a.json", Self.advised)
      #expect(run.status == 0)
      #expect(run.text == "a.json: advice: title: must be at most 5 long (graphemes) (too-long)\n")
    }

    @Test func `With --strict advice is an error`() async throws {
      let run = try await validate("--strict a.json", Self.advised)
      #expect(run.status == 6)
      #expect(run.text == "a.json: title: must be at most 5 long (graphemes) (too-long)\n")
    }

    @Test(arguments: [("", true), ("--strict", false)])
    func `An issue is complete in JSON, and advice has its declared severity`(
      option: String, isValid: Bool
    ) async throws {
      let object = try await validate("--json \(option) a.json", Self.advised).object
      let issue = try #require((object["issues"] as? [[String: Any]])?.first)
      #expect(object["file"] as? String == "a.json")
      #expect(object["isValid"] as? Bool == isValid)
      #expect(object["outcome"] as? String == "failed")
      #expect(object["line"] == nil)
      #expect(issue["severity"] as? String == "should")
      #expect(issue["message"] as? String == "must be at most 5 long (graphemes)")
    }

    @Test func `An issue in JSON has the name of its rule, and its lists are lists`() async throws {
      let run = try await validate(
        "--scenario create --json a.json", ["a.json": #"{"title": "x", "kind": "c"}"#])
      let issue = try #require((try run.object["issues"] as? [[String: Any]])?.first)
      #expect(issue["rule"] as? String == "known kinds")
      #expect((issue["parameters"] as? [String: Any])?["allowed"] as? [String] == ["a", "b"])
    }

    @Test(arguments: ["documents.jsonl", "documents.ndjson"])
    func `The name of a file of lines is recognised, and each line has its number in JSON`(
      name: String
    ) async throws {
      let run = try await validate("--json \(name)", [name: "{}\n{\"title\": \"x\"}\n"])
      let lines = try run.text.split(separator: "\n").map { line in
        try #require(
          try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      }
      #expect(lines.map { $0["line"] as? Int } == [1, 2])
      #expect(lines.map { $0["isValid"] as? Bool } == [false, true])
    }

    @Test(arguments: [("", 0), ("--scenario create", 6)] as [(String, Int32)])
    func `A scenario decides which rules a document is checked by`(
      option: String, status: Int32
    ) async throws {
      let run = try await validate("\(option) a.json", ["a.json": #"{"title": "x"}"#])
      #expect(run.status == status)
    }

    @Test func `The steps of the rules are applied before a document is checked`() async throws {
      let run = try await validate("--strict a.json", ["a.json": #"{"title": "  one    "}"#])
      #expect(run.status == 0)
      #expect(run.output.isEmpty)
    }

    @Test(arguments: [(13, 0), (12, 74)] as [(Int, Int32)])
    func `A file beyond --max-size is not read, and counts as unreadable`(
      size: Int, status: Int32
    ) async throws {
      let run = try await validate("--max-size \(size) a.json", ["a.json": #"{"title":"x"}"#])
      #expect(run.status == status)
      #expect(run.error.contains("a.json has more than 12 bytes; raise --max-size") == (size == 12))
      #expect(run.error.contains("0 documents checked, 0 refused; 1 not readable") == (size == 12))
    }

    @Test func `Rules that cannot be read exit with 74`() async throws {
      let run = try await Playground().runShell(
        "cd \"$folder\" && echo '{}' | freshstore validate --rules missing.json")
      #expect(run.status == 74)
      #expect(run.error.contains(#"the rules in "missing.json" cannot be read"#))
    }

    @Test func `Rules beyond 16 MiB are refused, whatever follows`() async throws {
      let run = try await Playground().runShell(
        """
        cd "$folder" && { printf '{}'; head -c 16777216 /dev/zero | tr '\\0' ' '; } > rules.json
        echo '{}' | freshstore validate --rules rules.json
        """)
      #expect(run.status == 64)
      #expect(run.error.contains("have more than 16 MiB"))
    }

    @Test func `The available scenarios are named in order`() async throws {
      let run = try await validate("--scenario x a.json", Self.advised)
      #expect(run.status == 64)
      #expect(run.error.contains("the rules have no scenario 'x'; they have create, default"))
    }

    @Test func `The text of a document does not act on the terminal`() async throws {
      let rules = #"{"fields": {}, "unknownFields": "refuse"}"#
      let run = try await validate(
        "a.json", ["a.json": #"{"\u001b[31mred\nline": 1}"#], rules: rules)
      #expect(run.status == 6)
      #expect(run.text == "a.json:  [31mred line: is not a known field (unknown-field)\n")
    }
  }
#endif
