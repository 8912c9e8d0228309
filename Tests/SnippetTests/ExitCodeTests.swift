#if CommandLine
  import Foundation
  import Testing

  /// The exit codes of the page of the command are those of the command.
  @Suite struct ExitCodeTests {
    /// The codes that a shell reports for a command that a signal has ended. The command does not
    /// declare them.
    private static let signals: Set = [129, 130, 143]

    /// The numbers in the first column of the page's table.
    private func listed() throws -> Set<Int> {
      let page = try Page.text(of: "Sources/FreshStore/FreshStore.docc/TheCommand.md")
      let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }
      let cells = rows.compactMap { $0.split(separator: "|").first }
      return Set(
        cells.flatMap { cell in
          cell.split(separator: ",").compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
        })
    }

    @Test func `the page lists the exit codes that the command has`() throws {
      let source = try Page.text(of: "Sources/FreshStoreCLI/Running/ExitStatus.swift")
      let declared = source.matches(of: /case \w+ = (\d+)/).compactMap { Int($0.output.1) }
      #expect(!declared.isEmpty)
      #expect(try listed() == Self.signals.union(declared))
    }

    @Test func `the page lists the exit codes that the help lists`() async throws {
      let session = try await ShellSession(running: ["freshstore --help"], port: 0)
      let help = try #require(session.outputs.first).components(separatedBy: "EXIT CODES\n")
      let section = try #require(help.last?.components(separatedBy: "\n\n").first)
      let parts = section.split { $0 == "\n" || $0 == ";" }
      let codes = parts.compactMap { part in
        Int(part.drop { $0 == " " }.prefix { ("0"..."9").contains($0) })
      }
      #expect(try listed() == Set(codes))
    }
  }
#endif
