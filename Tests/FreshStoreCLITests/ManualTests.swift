#if CommandLine
  import Foundation
  import Testing

  /// `scripts/manual` and the scripts of the package, as far as they can be tried without a release build.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct ManualTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    private static let hasJQ = ["/usr/bin/jq", "/usr/local/bin/jq"].contains {
      FileManager.default.isExecutableFile(atPath: $0)
    }

    private func run(
      _ script: String, _ words: String, in playground: Playground
    ) async throws -> Playground.Run {
      try await playground.runShell("'\(Self.root.path)/scripts/\(script)' \(words)")
    }

    @Test(.enabled(if: hasJQ, "jq, which makes the pages, is not installed"))
    func `Every verb has a manual page, with each of its options and a place in the overview`()
      async throws
    {
      let playground = try Playground()
      let made = try await run(
        "manual", "\"$folder/man\" --binary \"$(command -v freshstore)\"", in: playground)
      #expect(made.status == 0)
      #expect(made.error.isEmpty)
      let overview = try page("freshstore", in: playground)
      for verb in try await playground.verbs() {
        let name = "freshstore-" + verb.replacingOccurrences(of: " ", with: "-")
        let page = try page(name, in: playground)
        #expect(overview.contains(".It Xr \(name) 1\n"))
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "SEE ALSO"] {
          #expect(page.contains("\n.Sh \(section)\n"), "\(name) has no \(section)")
        }
        let help = try await playground.runAlone(
          ["help"] + verb.split(separator: " ").map(String.init))
        for line in help.text.split(separator: "\n") {
          // A line that begins an option: two spaces, perhaps its short form, and its name.
          guard let match = line.firstMatch(of: /^  (?:-[a-z], )?--([a-z-]+)/) else { continue }
          #expect(page.contains("Fl -\(match.1)"), "\(name) does not explain --\(match.1)")
        }
      }
    }

    @Test(
      .enabled(if: hasJQ, "jq, which makes the pages, is not installed"),
      arguments: [
        ("manual", "", 64), ("manual", "''", 64), ("manual", "$folder/new other", 64),
        ("manual", "$folder/new --none", 64), ("manual", "$folder/new --binary", 64),
        ("manual", "$folder/new --binary /etc/passwd", 64),
        ("manual", "$folder/new --binary /bin/true", 64),
        ("manual", "$folder/new debug --binary /bin/true", 64),
        ("manual", "/proc/new --binary /bin/true", 74), ("manual", "--help", 0),
        ("package-deb", "", 64), ("package-deb", "$folder/new other", 64),
        ("package-deb", "$folder/new --binary", 64),
        ("package-deb", "$folder/new --revision 0", 64),
        ("package-deb", "--help", 0), ("test-deb", "", 64), ("test-deb", "new.deb --root", 64),
        ("test-deb", "--help", 0), ("api-check", "--none", 64), ("api-check", "v1 v2", 64),
        ("api-check", "--help", 0),
      ])
    func `Scripts refuse wrong words with the codes that their help names`(
      script: String, words: String, code: Int32
    ) async throws {
      let run = try await run(script, words, in: Playground())
      #expect(run.status == code)
      #expect(run.error.isEmpty == (code == 0))
      #expect(run.text.isEmpty == (code != 0))
    }

    private func page(_ name: String, in playground: Playground) throws -> String {
      try String(contentsOfFile: playground.file("man/\(name).1"), encoding: .utf8)
    }
  }
#endif
