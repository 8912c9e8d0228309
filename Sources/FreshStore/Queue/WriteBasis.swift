/// The version of an object on which a local write is based, where that is not what the source is known to
/// hold.
struct WriteBasis: FieldCoded, Sendable, Hashable {
  /// The bytes of the value.
  var value: [UInt8]?
  var codec: String?
  var contentVersion: Int64?
  var validators = Validators()
  /// Data of the fetcher that belongs to the validators.
  var metadata: String?
  /// The checksum of the value as a local write has it: the source may accept that one as another value.
  var written: Int64?
  private var met: Int64?
  private var later: [UInt8] = []

  init() {}

  mutating func visit(_ visitor: inout some FieldVisitor) {
    visitor.bytes(1, &value)
    visitor.text(2, &codec)
    visitor.integer(3, &contentVersion)
    visitor.text(4, &validators.entityTag)
    visitor.text(5, &validators.lastModified)
    visitor.text(6, &metadata)
    visitor.integer(7, &written)
    visitor.integer(8, &met)
    visitor.later(&later)
  }

  /// True when the write has met the known state of the source in this one's place: that is what is shown of the
  /// conflict, and what a correction is based on.
  var hasMetAnother: Bool {
    get { met != nil }
    set { met = newValue ? 1 : nil }
  }

  /// The known state of a source, upon which a write was made that meets another one there. A long value, which lies
  /// in blocks, is not copied: its version says enough.
  init(of base: StoredRecord?) {
    guard let base, base.isIntact else { return }
    let content = base.content
    (validators, metadata) = (content.validators, content.metadata)
    guard base.kind == .value, content.blocks == nil else { return }
    (value, codec, contentVersion) = (content.value, content.codec, content.contentVersion)
  }

  /// The state after a local write.
  init(of write: StoredWrite) {
    guard write.kind != .delete else { return }
    (value, codec, contentVersion) = (write.payload, write.codec, write.contentVersion)
  }
}

extension [StoredWrite] {
  /// Of the waiting writes of a key, those that a merge of the first one takes along: each was made from
  /// the one before it, and waits for nothing else.
  var mergeable: [StoredWrite] {
    Array(prefix(1) + dropFirst().prefix { $0.basis == nil && $0.after == nil })
  }
}
