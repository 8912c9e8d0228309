#if CommandLine
  /// Cuts the text of a netrc file into words, as curl does.
  ///
  /// White space parts them, line ends included. A word in double quotes may hold it; there a backslash
  /// keeps the character behind it from having a meaning, but `\n`, `\r` and `\t` are a line feed, a
  /// carriage return and a tab.
  struct NetrcScanner {
    /// What is wrong, and in which line; no word of the file is repeated.
    struct Problem: Error {
      let line: Int
      let words: String
    }

    private var rest: ArraySlice<UInt8>
    private var nextLine = 1
    /// The line in which the last word began.
    private(set) var line = 1

    init(_ text: [UInt8]) { rest = text[...] }

    /// The next word; `nil` at the end.
    mutating func next() throws(Problem) -> [UInt8]? {
      while let byte = rest.first, Self.isSpace(byte) { take() }
      line = nextLine
      guard let first = rest.first else { return nil }
      if first == UInt8(ascii: "\"") { return try quoted() }
      var word: [UInt8] = []
      while let byte = rest.first, !Self.isSpace(byte) {
        word.append(byte)
        take()
      }
      return word
    }

    /// Leaves the rest of the line out.
    mutating func skipLine() { _ = takeLine() }

    /// Leaves a macro out: it ends before the first empty line.
    mutating func skipMacro() {
      skipLine()
      while !rest.isEmpty, !takeLine().allSatisfy(Self.isSpace) {}
    }

    private mutating func quoted() throws(Problem) -> [UInt8] {
      take()
      var word: [UInt8] = []
      var isEscaped = false
      while let byte = rest.first {
        take()
        if isEscaped {
          word.append(Self.escapes[byte] ?? byte)
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          return word
        } else {
          word.append(byte)
        }
      }
      throw Problem(line: line, words: "has a double quote that is not closed")
    }

    private mutating func takeLine() -> [UInt8] {
      var line: [UInt8] = []
      while let byte = rest.first {
        take()
        if byte == UInt8(ascii: "\n") { break }
        line.append(byte)
      }
      return line
    }

    private mutating func take() {
      if rest.popFirst() == UInt8(ascii: "\n") { nextLine += 1 }
    }

    private static let escapes: [UInt8: UInt8] = [
      UInt8(ascii: "n"): UInt8(ascii: "\n"), UInt8(ascii: "r"): UInt8(ascii: "\r"),
      UInt8(ascii: "t"): UInt8(ascii: "\t"),
    ]

    private static func isSpace(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
    }
  }
#endif
