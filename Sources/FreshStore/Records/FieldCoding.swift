internal import Strategies

/// A value that is kept as one column.
///
/// Each field is encoded as its number, its length and its bytes, in the order of the numbers. A new field
/// needs no change of the schema.
protocol FieldCoded {
  /// A value without any field.
  init()
  /// Visits every field with its number in the file. A number is never reused.
  mutating func visit(_ visitor: inout some FieldVisitor)
}

extension FieldCoded {
  /// The column form; empty without any field.
  var encoded: [UInt8] {
    var (copy, writer) = (self, FieldWriter())
    copy.visit(&writer)
    return writer.bytes
  }

  /// Reads the column. It keeps the readable fields of damaged bytes: the row's checksum reveals the damage.
  init(encoded bytes: [UInt8]) {
    self.init()
    var reader = FieldReader(bytes)
    visit(&reader)
  }
}

/// Visits the fields of a value.
protocol FieldVisitor {
  mutating func integer(_ number: UInt8, _ value: inout Int64?)
  mutating func text(_ number: UInt8, _ value: inout String?)
  mutating func bytes(_ number: UInt8, _ value: inout [UInt8]?)
  /// A field that may occur any number of times.
  mutating func texts(_ number: UInt8, _ values: inout [String])
  /// The fields of a later version, as they were read; visited last.
  mutating func later(_ fields: inout [UInt8])
}

extension FieldVisitor {
  mutating func duration(_ number: UInt8, _ value: inout Duration?) {
    var milliseconds = value?.wholeMilliseconds
    integer(number, &milliseconds)
    value = milliseconds.map { .milliseconds($0) }
  }
}

struct FieldWriter: FieldVisitor {
  private(set) var bytes: [UInt8] = []

  mutating func integer(_ number: UInt8, _ value: inout Int64?) {
    guard let value else { return }
    // Zigzag, so that a small negative number is short, too.
    append(number, Self.varint(UInt64(bitPattern: value << 1 ^ value >> 63)))
  }

  mutating func text(_ number: UInt8, _ value: inout String?) {
    guard let value else { return }
    append(number, Array(value.utf8))
  }

  mutating func bytes(_ number: UInt8, _ value: inout [UInt8]?) {
    guard let value else { return }
    append(number, value)
  }

  mutating func texts(_ number: UInt8, _ values: inout [String]) {
    for value in values { append(number, Array(value.utf8)) }
  }

  mutating func later(_ fields: inout [UInt8]) { bytes += fields }

  private mutating func append(_ number: UInt8, _ field: [UInt8]) {
    bytes.append(number)
    bytes += Self.varint(UInt64(field.count))
    bytes += field
  }

  /// Seven bits a byte, the lowest first; every byte but the last has its highest bit set.
  private static func varint(_ number: UInt64) -> [UInt8] {
    var (rest, bytes) = (number, [UInt8]())
    while rest > 0x7F {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}

struct FieldReader: FieldVisitor {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func integer(_ number: UInt8, _ value: inout Int64?) {
    let before = rest
    guard var field = take(number) else {
      value = nil
      return
    }
    guard let bits = Self.varint(&field), field.isEmpty else {
      (value, rest) = (nil, before)
      return
    }
    value = Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1)
  }

  mutating func text(_ number: UInt8, _ value: inout String?) {
    value = take(number).map { String(decoding: $0, as: UTF8.self) }
  }

  mutating func bytes(_ number: UInt8, _ value: inout [UInt8]?) {
    value = take(number).map(Array.init)
  }

  mutating func texts(_ number: UInt8, _ values: inout [String]) {
    values = []
    while let field = take(number) { values.append(String(decoding: field, as: UTF8.self)) }
  }

  mutating func later(_ fields: inout [UInt8]) {
    fields = Array(rest)
    rest = []
  }

  /// The bytes of the next field, if it has that number.
  private mutating func take(_ number: UInt8) -> ArraySlice<UInt8>? {
    guard rest.first == number else { return nil }
    var after = rest.dropFirst()
    guard let count = Self.varint(&after), count <= UInt64(after.count) else { return nil }
    rest = after.dropFirst(Int(count))
    return after.prefix(Int(count))
  }

  private static func varint(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
    var (number, shift) = (UInt64(0), UInt64(0))
    while let byte = bytes.popFirst(), shift < 64 {
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
      shift += 7
    }
    return nil
  }
}
