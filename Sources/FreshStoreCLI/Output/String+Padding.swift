#if CommandLine
  extension String {
    /// The text with spaces behind it, so that it fills `width` columns of a terminal.
    func padded(to width: Int) -> String {
      self + String(repeating: " ", count: max(0, width - TextWidth.columns(of: self)))
    }

    /// The text with spaces in front of it, so that it fills `width` columns of a terminal.
    func indented(to width: Int) -> String {
      String(repeating: " ", count: max(0, width - TextWidth.columns(of: self))) + self
    }
  }
#endif
