internal import Strategies

/// Rare or rarely read fields of a record: one column, `NULL` where there are none.
///
/// Each field is encoded as its number, its length and its bytes, in the order of the numbers. A field
/// can be added without a change of the schema; a field that this version does not know is kept as it is.
struct RecordDetails: Sendable, Hashable {
  var hardEnd: Duration?
  var graceWhileRevalidating: Duration?
  var graceOnError: Duration?
  var validators = Validators()
  var source: String?
  /// The address to ask, where ``source`` leaves a part of it out.
  var address: String?
  var contentType: String?
  var variant: String?
  var metadata: String?
  /// The duration of the fetch, in milliseconds.
  var fetchCost: Int64?
  /// Fields of a later version, as they were read.
  private var unknown: [UInt8] = []

  init() {}

  /// Visits every field: its number in the file, and its storage here. A number is never reused.
  private mutating func visit(_ visitor: inout some DetailsVisitor) {
    visitor.duration(1, &hardEnd)
    visitor.duration(2, &graceWhileRevalidating)
    visitor.duration(3, &graceOnError)
    visitor.text(4, &validators.entityTag)
    visitor.text(5, &validators.lastModified)
    visitor.text(6, &source)
    visitor.text(7, &contentType)
    visitor.text(8, &variant)
    visitor.text(9, &metadata)
    visitor.integer(10, &fetchCost)
    visitor.text(11, &address)
  }
}

extension RecordDetails {
  /// The column form; `nil` when there is nothing to keep.
  var encoded: [UInt8]? {
    var (copy, writer) = (self, DetailsWriter())
    copy.visit(&writer)
    let bytes = writer.bytes + unknown
    return bytes.isEmpty ? nil : bytes
  }

  /// Reads the column. From damaged bytes the readable fields are kept: the row's checksum reveals
  /// the damage.
  init(encoded bytes: [UInt8]) {
    self.init()
    var reader = DetailsReader(bytes)
    visit(&reader)
    unknown = Array(reader.rest)
  }

  /// The address to ask, alone, from a column's bytes.
  static func address(in bytes: [UInt8]?) -> String? {
    guard let bytes else { return nil }
    let details = RecordDetails(encoded: bytes)
    return details.address ?? details.source
  }
}

/// A visitor of the fields of ``RecordDetails``.
private protocol DetailsVisitor {
  mutating func integer(_ number: UInt8, _ value: inout Int64?)
  mutating func text(_ number: UInt8, _ value: inout String?)
}

extension DetailsVisitor {
  fileprivate mutating func duration(_ number: UInt8, _ value: inout Duration?) {
    var milliseconds = value?.wholeMilliseconds
    integer(number, &milliseconds)
    value = milliseconds.map { .milliseconds($0) }
  }
}

private struct DetailsWriter: DetailsVisitor {
  private(set) var bytes: [UInt8] = []

  mutating func integer(_ number: UInt8, _ value: inout Int64?) {
    guard let value else { return }
    // Zigzag: a small negative number is short, too.
    append(number, Self.varint(UInt64(bitPattern: value << 1 ^ value >> 63)))
  }

  mutating func text(_ number: UInt8, _ value: inout String?) {
    guard let value else { return }
    append(number, Array(value.utf8))
  }

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

private struct DetailsReader: DetailsVisitor {
  /// The unread bytes.
  private(set) var rest: ArraySlice<UInt8>

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

  /// The bytes of the next field, if it is that one.
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
