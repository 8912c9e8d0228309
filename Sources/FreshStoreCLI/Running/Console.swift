#if CommandLine
  internal import FreshStore

  /// Standard error: one line for everything there is to say beside the value.
  enum Console {
    static func note(_ text: String) {
      write("freshstore: \(printable(text))\n")
    }

    /// A line that the next one replaces; for terminals only.
    static func progress(_ text: String) {
      guard Process.errorIsTerminal else { return }
      write("\rfreshstore: \(text)\u{1B}[K")
    }

    /// Takes the line of progress away.
    static func endProgress() {
      guard Process.errorIsTerminal else { return }
      write("\r\u{1B}[K")
    }

    /// Says several lines that stand for themselves.
    static func say(_ lines: String) { write(TerminalText.harmless(lines) + "\n") }

    /// Text from outside in one line that does nothing to a terminal.
    static func printable(_ text: String) -> String {
      var printable = ""
      for scalar in text.unicodeScalars {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: printable += " "
        default: printable.unicodeScalars.append(scalar)
        }
      }
      return printable
    }

    /// A key for a message.
    static func quoted(key: String) -> String { KeyText.shown(key).debugDescription }

    private static func write(_ text: String) {
      do throws(Descriptor.Failure) {
        try Descriptor.write(Array(text.utf8), to: Descriptor.standardError)
      } catch {
        // There is nowhere left to say so.
      }
    }
  }
#endif
