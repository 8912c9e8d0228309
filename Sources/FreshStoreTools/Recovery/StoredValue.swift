internal import FreshStore

/// A value in a row's bytes (https://sqlite.org/fileformat2.html, section 2.1).
enum StoredValue {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case blob([UInt8])
}

extension StoredValue {
  /// The values of a row; `nil` when the bytes are not a row.
  static func row(_ payload: [UInt8]) -> [StoredValue]? {
    var header = ByteReader(payload[...])
    guard let length = header.varint(), length >= header.position, length <= payload.count
    else { return nil }
    header = ByteReader(payload[header.position..<Int(length)])
    var body = ByteReader(payload[Int(length)...])
    var values: [StoredValue] = []
    while !header.isAtEnd {
      guard let type = header.varint(), let value = value(of: type, &body) else { return nil }
      values.append(value)
    }
    return body.isAtEnd ? values : nil
  }

  private static func value(of type: Int64, _ body: inout ByteReader) -> StoredValue? {
    switch type {
    case 0: return .null
    case 1...6:
      let sizes = [1, 2, 3, 4, 6, 8]
      return body.integer(sizes[Int(type) - 1]).map(StoredValue.integer)
    case 7: return body.integer(8).map { .real(Double(bitPattern: UInt64(bitPattern: $0))) }
    case 8: return .integer(0)
    case 9: return .integer(1)
    case 12...:
      guard let bytes = body.bytes(Int((type - 12) / 2)) else { return nil }
      return type.isMultiple(of: 2) ? .blob(bytes) : .text(bytes)
    default: return nil
    }
  }
}
