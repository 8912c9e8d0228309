#if CommandLine
  internal import FreshStore

  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  /// Standard output: values and answers, nothing else.
  enum StandardOutput {
    static func write(_ bytes: [UInt8]) throws(CommandFailure) {
      do throws(Descriptor.Failure) {
        try Descriptor.write(bytes, to: Descriptor.standardOutput)
      } catch {
        throw error.isBrokenPipe
          ? CommandFailure(.brokenPipe)
          : CommandFailure(.inputOutput, "standard output cannot be written: \(error.words)")
      }
    }

    /// Writes a value as it is. On a terminal its control characters are shown as text.
    static func value(_ bytes: [UInt8]) throws(CommandFailure) {
      try write(Process.outputIsTerminal ? TerminalText.harmless(bytes) : bytes)
    }

    /// Writes JSON as it is. On a terminal its control characters are escaped, which is the same JSON.
    static func jsonLines(_ bytes: [UInt8]) throws(CommandFailure) {
      guard Process.outputIsTerminal else { return try write(bytes) }
      try write(Array(TerminalText.escaped(json: String(decoding: bytes, as: UTF8.self)).utf8))
    }

    static func line(_ text: String) throws(CommandFailure) {
      try write(Array("\(text)\n".utf8))
    }

    /// One JSON value on a line of its own, with its fields sorted by name.
    static func json(_ value: some Encodable) throws(CommandFailure) {
      try line(encoded(value))
    }

    /// The same as text.
    static func encoded(_ value: some Encodable) throws(CommandFailure) -> String {
      do {
        let json = try (value as? JSONFields)?.text() ?? encodedByEncoder(value)
        return TerminalText.escaped(json: json)
      } catch {
        throw CommandFailure(.inputOutput, "the answer cannot be written as JSON: \(error)")
      }
    }

    /// A value as JSON on one line, by the encoder for values of any kind.
    static func encodedByEncoder(_ value: some Encodable) throws -> String {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
  }

  extension Console {
    static func note(_ text: String) {
      write("freshstore: \(printable(text))\n")
    }

    /// A line that the next one replaces; for terminals only.
    static func progress(_ text: String) {
      guard Process.errorIsTerminal else { return }
      write("\rfreshstore: \(printable(text))\u{1B}[K")
    }

    /// Removes the line of progress.
    static func endProgress() {
      guard Process.errorIsTerminal else { return }
      write("\r\u{1B}[K")
    }

    /// Asks the user at a terminal; false for any answer but yes.
    static func asks(_ question: String) -> Bool {
      write("freshstore: \(printable(question)) [y/N] ")
      return ["y", "yes"].contains(readLine()?.lowercased())
    }

    /// Prints several whole lines.
    static func say(_ lines: String) { write(TerminalText.harmless(lines) + "\n") }

    /// A key for a message.
    static func quoted(key: String) -> String { KeyText.shown(key).debugDescription }

    private static func write(_ text: String) {
      do throws(Descriptor.Failure) {
        try Descriptor.write(Array(text.utf8), to: Descriptor.standardError)
      } catch {
        // No other output is left to report it on.
      }
    }

    /// Shows on a terminal how long work takes, after the first second.
    static func whileWorking<Result>(
      _ words: String, _ work: () async throws -> Result
    ) async rethrows -> Result {
      guard Process.errorIsTerminal else { return try await work() }
      let start = ContinuousClock.now
      let telling = Task {
        var seconds = 1
        while true {
          do {
            try await ContinuousClock().sleep(until: start + .seconds(seconds))
          } catch {
            // The work has ended.
            return
          }
          progress("\(words), \(seconds) s")
          seconds += 1
        }
      }
      do {
        let result = try await work()
        await end(telling)
        return result
      } catch {
        await end(telling)
        throw error
      }
    }

    private static func end(_ telling: Task<Void, Never>) async {
      telling.cancel()
      await telling.value
      endProgress()
    }
  }
#endif
