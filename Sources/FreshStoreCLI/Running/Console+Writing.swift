#if CommandLine
  internal import FreshStore

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

    /// Asks somebody at a terminal; false for anything but a yes.
    static func asks(_ question: String) -> Bool {
      write("freshstore: \(printable(question)) [y/N] ")
      return ["y", "yes"].contains(readLine()?.lowercased())
    }

    /// Prints several complete lines.
    static func say(_ lines: String) { write(TerminalText.harmless(lines) + "\n") }

    /// A key for a message.
    static func quoted(key: String) -> String { KeyText.shown(key).debugDescription }

    private static func write(_ text: String) {
      do throws(Descriptor.Failure) {
        try Descriptor.write(Array(text.utf8), to: Descriptor.standardError)
      } catch {
        // There is nowhere left to report it.
      }
    }
  }
#endif
