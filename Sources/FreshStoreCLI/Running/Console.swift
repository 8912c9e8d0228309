#if CommandLine
  /// Standard error: one line for each message beside the value.
  enum Console {
    /// Text from outside in one line that has no effect on a terminal.
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
  }
#endif
