internal import Strategies

/// Rare or rarely read fields of a record: one column, `NULL` where there are none.
struct RecordDetails: FieldCoded, Sendable, Hashable {
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
  /// The checksum of the value of a local write that the source has accepted as this one.
  var madeOf: Int64?
  /// 1 for a record that only whoever asks for it fetches; else `nil`.
  var onDemand: Int64?
  private var later: [UInt8] = []

  init() {}

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
  /// True for a record that a fetch has brought, or whose source is known: its source can give it again.
  var isFromSource: Bool {
    fetchCost != nil || source != nil || address != nil || onDemand != nil || !validators.isEmpty
  }

  /// The address to ask, alone, from a column's bytes.
  static func address(in bytes: [UInt8]?) -> String? {
    guard let bytes else { return nil }
    let details = RecordDetails(encoded: bytes)
    return details.address ?? details.source
  }
}

/// The validators that let a source answer "not modified": kept as the source sent them, never
/// interpreted.
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

  /// Equal by bytes: to a source, as to HTTP, two spellings of one character are two.
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
/// Its blocks never change. A record that gives it up leaves it to be collected, some minutes later: whoever reads it
/// then still reads it to its end.
package struct ContentReference: Sendable, Hashable {
  /// Drawn at random: nobody who reads a value that is gone takes the blocks of another one for its own, in this file
  /// or in one that has replaced it.
  package let id: Int64
  /// The bytes of the value; 0 where they were not counted.
  package var size: Int64
  /// The checksum of the value.
  package var checksum: Int64

  package init(id: Int64, size: Int64 = 0, checksum: Int64 = 0) {
    (self.id, self.size, self.checksum) = (id, size, checksum)
  }

  /// The bytes of each block but the last. A value that is no longer stays in its row.
  package static let blockSize = 256 << 10

  /// A number that no other value has.
  package static func drawn() -> Int64 { Int64.random(in: 1..<(1 << 42)) }

  /// The number of blocks.
  package var blocks: Int { Int((size + Int64(Self.blockSize) - 1) / Int64(Self.blockSize)) }

  /// The bytes that a block has.
  func length(of block: Int) -> Int {
    Int(min(Int64(Self.blockSize), max(0, size - Int64(block) * Int64(Self.blockSize))))
  }

  /// The row of a block: those of one value lie side by side.
  func place(of block: Int) -> Int64 { firstPlace | Int64(block) & (1 << 20 - 1) }

  /// The rows of all blocks lie from here up to ``endPlace``.
  var firstPlace: Int64 { id << 20 }
  var endPlace: Int64 { (id &+ 1) << 20 }
}
