#if CommandLine
  import Foundation
  import FreshStore
  import Strategies
  import Testing

  /// Keys, values and arguments with control sequences, which a terminal would obey.
  @Suite(.serialized) struct TerminalTests {
    /// Colours, a title, C1's CSI, a bell, and writing from right to left.
    private static let evil = "a\u{1B}[31mb\u{1B}]0;title\u{7}c\u{9B}2Jd\u{202E}e\u{2028}f"

    private func playground() async throws -> Playground {
      let playground = try Playground()
      let store = try Store(path: playground.database)
      try await store.bytes("default").put(
        Array(Self.evil.utf8) + [0x9B] + Array("m\tend\r\n".utf8), for: Self.evil,
        details: FetchDetails(
          expiry: .never, tags: [Self.evil], source: Self.evil, contentType: Self.evil))
      _ = try await store.bytes("default").write([1], for: "w" + Self.evil)
      try await store.close()
      return playground
    }

    /// The output of a command on a pseudo-terminal; `$key` is the evil text.
    private func shown(_ command: String, _ playground: Playground) async throws -> String {
      let script = try await playground.runShell(
        """
        key=$(printf '\(Self.evil.utf8.map { "\\" + String($0, radix: 8) }.joined())')
        export key
        script -qec '\(command)' /dev/null < /dev/null
        """)
      return script.text
    }

    private func isHarmless(_ text: String) -> Bool {
      // The command's own control sequences: it erases a line, and starts it anew.
      let own = text.replacing("\r\u{1B}[K", with: "").replacing("\u{1B}[K", with: "")
      return !own.unicodeScalars.contains { scalar in
        switch scalar {
        case "\r", "\n", "\t": false
        default:
          [.control, .format, .lineSeparator, .paragraphSeparator]
            .contains(scalar.properties.generalCategory)
        }
      }
    }

    @Test(arguments: [
      #"freshstore show --db $db "$key""#, #"freshstore get --db $db "$key" -- true"#,
      #"freshstore get --db $db --json "$key" -- true"#, "freshstore list --db $db",
      "freshstore list --db $db --json", #"freshstore explain --db $db "$key""#,
      #"freshstore explain --db $db --json "$key""#, "freshstore export --db $db",
      "freshstore outbox list --db $db", "freshstore outbox list --db $db --json",
      "freshstore top --db $db --once", #"freshstore show --db $db "none$key""#,
      #"freshstore get --db $db --refresh "$key" -- false"#,
      #"freshstore get --db $db k --expiry "$key" -- true"#, #"freshstore sweep "$key""#,
      #"freshstore check --db "$folder/$key""#, #"freshstore list "--$key""#,
      #"freshstore outbox list --state "$key""#, #"freshstore "$key""#,
    ])
    func `no text from a store or an argument acts on the terminal`(_ command: String) async throws
    {
      let playground = try await playground()
      let text = try await shown(command, playground)
      #expect(!text.isEmpty)
      #expect(isHarmless(text), "\(text.debugDescription)")
    }

    @Test(arguments: [
      ("TERM=xterm", "\u{1B}[32mfresh"), ("TERM=xterm NO_COLOR=1", "fresh"), ("TERM=dumb", "fresh"),
    ])
    func `states have colours where a terminal shows them`(
      environment: String, state: String
    ) async throws {
      let playground = try Playground()
      _ = try await playground.run("put", "k", "-", "--expiry", "1h", input: [1])
      let text = try await shown("env \(environment) freshstore list --db $db", playground)
      #expect(text.contains(state))
      #expect(text.contains("\u{1B}") == state.hasPrefix("\u{1B}"))
    }

    @Test(arguments: ["list", "outbox list"])
    func `a long key loses its middle on a terminal, and nowhere else`(verb: String) async throws {
      let playground = try Playground()
      let long = "http://localhost:1/" + String(repeating: "0123456789", count: 20) + "/the-end"
      _ = try await playground.run("write", long, input: [1])
      let command = "freshstore \(verb) --db $db"
      let text = try await shown("stty rows 24 cols 90; \(command)", playground)
      let lines = text.split(whereSeparator: \.isNewline)
      #expect(lines.count == 2, "\(text)")
      #expect(lines.allSatisfy { $0.count <= 90 }, "\(text)")
      #expect(lines.last?.contains("http://lo") == true && text.contains("…"), "\(text)")
      #expect(text.contains("the-end"), "\(text)")
      #expect(!text.contains(long))
      #expect(try await shown("\(command) --json", playground).contains(long))
      #expect(try await playground.runShell(command).text.contains(long))
    }

    @Test func `a short key stays whole on a terminal`() async throws {
      let playground = try Playground()
      _ = try await playground.run("put", "key-of-a-few-words", "-", input: [1])
      let text = try await shown("freshstore list --db $db", playground)
      #expect(text.contains("key-of-a-few-words"))
      #expect(!text.contains("…"))
    }

    @Test func `a change is printed without acting on the terminal`() async throws {
      let playground = try await playground()
      let text = try await shown(
        """
        freshstore watch --db $db --count 1 --timeout 30s > $folder/changes & watch=$!
        until [ -s $folder/changes ] || ! kill -0 $watch; do
          freshstore mark --db $db "$key"
        done
        wait $watch; cat $folder/changes
        """, playground)
      #expect(text.contains("marked"))
      #expect(isHarmless(text), "\(text.debugDescription)")
    }

    @Test func `a value for a terminal is escaped, and keeps its lines`() async throws {
      let playground = try await playground()
      let text = try await shown(#"freshstore show --db $db "$key""#, playground)
      #expect(text.contains(#"a\u{1B}[31mb\u{1B}]0;title\u{7}c\u{9B}2Jd\u{202E}e\u{2028}f"#))
      #expect(text.hasSuffix("\u{FFFD}m\tend\r\r\n") || text.hasSuffix("\u{FFFD}m\tend\r\n"))
    }

    @Test func `a value for anything else is printed as it was stored`() async throws {
      let playground = try await playground()
      let run = try await playground.run("show", Self.evil)
      #expect(run.output == Array(Self.evil.utf8) + [0x9B] + Array("m\tend\r\n".utf8))
    }

    @Test func `JSON has the same meaning with its characters escaped`() async throws {
      let playground = try await playground()
      let run = try await playground.run("explain", Self.evil, "--json")
      #expect(try run.object["key"] as? String == Self.evil)
      #expect(isHarmless(run.text))
    }
  }
#endif
