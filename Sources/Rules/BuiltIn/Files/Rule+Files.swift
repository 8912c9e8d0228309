extension Rule where Value == [UInt8] {
  /// Kept by bytes that begin as a file of one of these types does.
  public static func fileType(_ types: Set<FileType>) -> Rule {
    let names = types.map(\.rawValue).sorted().map(Parameter.text)
    return Rule(code: "wrong-file-type", parameters: ["types": .list(names)]) { bytes in
      FileType(of: bytes).map(types.contains) ?? false
    }
  }

  /// Kept by at least so many bytes.
  public static func size(min: Int) -> Rule {
    Rule(code: "file-too-small", parameters: ["min": .integer(min)]) { $0.count >= min }
  }

  /// Kept by at most so many bytes.
  public static func size(max: Int) -> Rule {
    Rule(code: "file-too-big", parameters: ["max": .integer(max)]) { $0.count <= max }
  }

  /// Kept by a number of bytes in the range.
  public static func size(_ range: ClosedRange<Int>) -> Rule {
    .all(size(min: range.lowerBound), size(max: range.upperBound))
  }

  /// Kept by bytes that are well-formed UTF-8 (Unicode, table 3-7).
  public static var utf8: Rule {
    Rule(code: "not-utf8") { UTF8Text.firstIllFormed(in: $0[...]) == $0.endIndex }
  }
}
