#if CommandLine
  internal import ArgumentParser
  internal import FreshHTTP

  /// Request headers as people write them. They may hold secrets: no message repeats one.
  enum HeaderText {
    static func fields(_ lines: [String]) throws(ValidationError) -> HeaderFields {
      var fields = HeaderFields()
      for (index, line) in lines.enumerated() {
        guard let colon = line.unicodeScalars.firstIndex(of: ":"), colon != line.startIndex else {
          throw ValidationError("--header number \(index + 1) has no name; write 'Name: value'")
        }
        fields.append(String(line[..<colon]), String(line.unicodeScalars[colon...].dropFirst()))
      }
      return fields
    }
  }
#endif
