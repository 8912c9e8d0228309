internal import Strategies

/// Rare or rarely read fields of a record: one column, `NULL` when there are none.
struct RecordDetails: FieldCoded, Sendable, Hashable {
  var hardEnd: Duration?
  var graceWhileRevalidating: Duration?
  var graceOnError: Duration?
  var validators = Validators()
  var source: String?
  /// The address to ask, when ``source`` leaves a part of it out.
  var address: String?
  var contentType: String?
  var variant: String?
  var metadata: String?
  /// The duration of the fetch, in milliseconds.
  var fetchCost: Int64?
  /// The checksum of the value of the local write that the source has accepted as this value.
  var madeOf: Int64?
  /// 1 for a record that is fetched only when a caller asks for it; else `nil`.
  var onDemand: Int64?
  private var later: [UInt8] = []

  mutating func visit(_ visitor: inout some FieldVisitor) {
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
    visitor.integer(12, &madeOf)
    visitor.integer(13, &onDemand)
    visitor.later(&later)
  }
}

extension RecordDetails {
  /// True when the record was fetched, or its address is known: the source can give it again. The label of a source
  /// shows nothing: a put by hand has one, too.
  var isFromSource: Bool {
    fetchCost != nil || address != nil || onDemand != nil || !validators.isEmpty
  }

  /// The address to ask, from a column's bytes.
  static func address(in bytes: [UInt8]?) -> String? {
    guard let bytes else { return nil }
    let details = RecordDetails(encoded: bytes)
    return details.address ?? details.source
  }
}

/// The validators by which a source can answer "not modified".
/// The store keeps them as the source sent them, and never interprets them.
public struct Validators: Sendable, Hashable, Codable {
  /// The entity tag, quotes and weakness mark included (RFC 9110 section 8.8.3).
  public var entityTag: String?
  /// The source's own modification date (RFC 9110 section 8.8.2), as text.
  public var lastModified: String?

  /// Creates validators.
  public init(entityTag: String? = nil, lastModified: String? = nil) {
    self.entityTag = entityTag
    self.lastModified = lastModified
  }

  /// Compares the bytes: to a source, as to HTTP, two spellings of one character are different.
  public static func == (left: Validators, right: Validators) -> Bool {
    isSame(left.entityTag, right.entityTag) && isSame(left.lastModified, right.lastModified)
  }

  private static func isSame(_ left: String?, _ right: String?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.utf8.elementsEqual(right.utf8)
  }

  /// True when a conditional request is not possible.
  public var isEmpty: Bool { entityTag == nil && lastModified == nil }
}

/// A value that is kept in blocks beside its record, so that it can be written and read one block at a time.
///
/// Its blocks never change. When a record gives the value up, the blocks are collected some minutes later: a reader
/// that has begun can read the value to its end.
package struct ContentReference: Sendable, Hashable {
  /// The number of the value, drawn at random. So a reader of a value that is gone never takes the blocks of another
  /// value for its own, in this file or in one that has replaced it.
  package let id: Int64
  /// The bytes of the value; 0 when they were not counted.
  package var size: Int64
  /// The checksum of the value.
  package var checksum: Int64

  package init(id: Int64, size: Int64 = 0, checksum: Int64 = 0) {
    (self.id, self.size, self.checksum) = (id, size, checksum)
  }

  /// The bytes of each block but the last. A value of at most so many bytes stays in its row.
  package static let blockSize = 256 << 10

  /// A number that no other value has.
  package static func drawn() -> Int64 { Int64.random(in: 1..<(1 << 42)) }

  package var blocks: Int { Int((size + Int64(Self.blockSize) - 1) / Int64(Self.blockSize)) }

  func length(of block: Int) -> Int {
    Int(min(Int64(Self.blockSize), max(0, size - Int64(block) * Int64(Self.blockSize))))
  }

  /// The row of a block. The blocks of one value lie side by side.
  func place(of block: Int) -> Int64 { firstPlace | Int64(block) & (1 << 20 - 1) }

  /// The first row of the value's blocks, which all lie before ``endPlace``.
  var firstPlace: Int64 { id << 20 }
  var endPlace: Int64 { (id &+ 1) << 20 }
}
