#if CommandLine
  /// Standard error: one line for each message beside the value.
  ///
  /// The fuzzer compiles this file without the rest of the command.
  enum Console {
    /// Text from outside as one line that has no effect on a terminal.
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
