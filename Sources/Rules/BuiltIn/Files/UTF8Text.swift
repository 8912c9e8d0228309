/// The well-formedness of UTF-8 (Unicode Standard, table 3-7).
enum UTF8Text {
  /// The offset of the first ill-formed scalar; the end of the bytes when there is none.
  static func firstIllFormed(in bytes: ArraySlice<UInt8>) -> Int {
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let start = index
      let lead = bytes[index]
      index += 1
      guard lead >= 0x80 else { continue }
      guard let (length, second) = follower(lead), index + length <= bytes.endIndex,
        second.contains(bytes[index])
      else { return start }
      for place in (index + 1)..<(index + length) where bytes[place] & 0xC0 != 0x80 {
        return start
      }
      index += length
    }
    return index
  }

  /// The number of bytes after a lead byte, and the range of the first of them: the ranges exclude
  /// overlong forms, surrogates and values beyond the last scalar.
  private static func follower(_ lead: UInt8) -> (Int, ClosedRange<UInt8>)? {
    switch lead {
    case 0xC2...0xDF: (1, 0x80...0xBF)
    case 0xE0: (2, 0xA0...0xBF)
    case 0xED: (2, 0x80...0x9F)
    case 0xE1...0xEF: (2, 0x80...0xBF)
    case 0xF0: (3, 0x90...0xBF)
    case 0xF1...0xF3: (3, 0x80...0xBF)
    case 0xF4: (3, 0x80...0x8F)
    default: nil
    }
  }
}
