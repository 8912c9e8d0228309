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

    static func line(_ text: String) throws(CommandFailure) {
      try write(Array("\(text)\n".utf8))
    }

    /// One JSON value on a line of its own, its fields in the order of their names.
    static func json(_ value: some Encodable) throws(CommandFailure) {
      try line(encoded(value))
    }

    /// The same as text.
    static func encoded(_ value: some Encodable) throws(CommandFailure) -> String {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      do {
        return String(decoding: try encoder.encode(value), as: UTF8.self)
      } catch {
        throw CommandFailure(.inputOutput, "the answer cannot be written as JSON: \(error)")
      }
    }
  }
#endif
