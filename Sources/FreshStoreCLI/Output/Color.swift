#if CommandLine
  /// A colour of words in a listing on a terminal; the words say the same without it.
  enum Color: String {
    case green = "32"
    case yellow = "33"
    case red = "31"
    case faint = "2"

    /// True where standard output shows colours, and nobody has asked for none
    /// (https://no-color.org).
    static let areWanted: Bool = {
      guard Process.outputIsTerminal, Process.variable("NO_COLOR")?.isEmpty ?? true,
        let terminal = Process.variable("TERM")
      else { return false }
      return terminal != "dumb" && !terminal.isEmpty
    }()

    /// The text in this colour (ECMA-48 section 8.3.117); unchanged where none is wanted.
    func applied(to text: String) -> String {
      Self.areWanted ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }
  }
#endif
