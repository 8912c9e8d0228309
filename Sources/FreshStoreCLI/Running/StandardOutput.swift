#if CommandLine
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

    /// Writes a value as it is; a terminal shows its control characters, and does not obey them.
    static func value(_ bytes: [UInt8]) throws(CommandFailure) {
      try write(Process.outputIsTerminal ? TerminalText.harmless(bytes) : bytes)
    }

    /// Writes JSON as it is; a terminal gets its control characters escaped, which is the same JSON.
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
#endif
