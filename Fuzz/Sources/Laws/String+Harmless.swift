extension StringProtocol {
  /// True when the text is one line and has no effect on a terminal that it is written to.
  var isHarmless: Bool {
    !unicodeScalars.contains { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
  }
}
