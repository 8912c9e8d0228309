#if HTTP
  import ChildProcess
  import Foundation
  import Testing

  /// The example of the notes, as a reader runs it.
  @Suite struct NotesExampleTests {
    @Test(.timeLimit(.minutes(2)))
    func `two sides that write while disconnected agree after the reconnection`() async throws {
      let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Examples/Notes/run").standardized.path
      let run = try ChildProcess(script, [ChildProcess.folder])
      var lines: [String] = []
      while let line = await run.nextLine() { lines.append(line) }
      let code = await run.end()

      guard code != 69 else {
        print("the example of the notes is skipped: no network namespace, or no ip")
        return
      }
      #expect(code == 0, "\(lines.joined(separator: "\n"))")
      let arrival = lines.first { $0.hasPrefix("the first request") } ?? ""
      print(arrival)
      let delay = arrival.split(separator: " ").dropLast().last.flatMap { Int($0) }
      // The machine may be busy; an idle one takes some 40 milliseconds.
      #expect(delay.map { $0 < 10_000 } == true)
    }
  }
#endif
