#if CommandLine
  internal import FreshStore
  internal import Strategies

  /// The output of `list --json` for a record.
  struct RecordOutput: Encodable {
    let collection: String
    let key: String
    let size: Int
    let source: String?
    let contentType: String?
    let isPinned: Bool
    let isPending: Bool
    let decision: DecisionOutput

    init(_ record: RecordSummary) {
      collection = record.collection
      key = record.key
      size = record.size
      source = record.source
      contentType = record.contentType
      isPinned = record.isPinned
      isPending = record.isPending
      decision = DecisionOutput(record.decision)
    }

    private enum Field: String, CodingKey {
      case collection, key, size, source, contentType, isPinned, isPending
    }

    /// The decision's fields stand beside the record's.
    func encode(to encoder: any Encoder) throws {
      try decision.encode(to: encoder)
      var container = encoder.container(keyedBy: Field.self)
      try container.encode(collection, forKey: .collection)
      try container.encode(key, forKey: .key)
      try container.encode(size, forKey: .size)
      try container.encodeIfPresent(source, forKey: .source)
      try container.encodeIfPresent(contentType, forKey: .contentType)
      try container.encode(isPinned, forKey: .isPinned)
      try container.encode(isPending, forKey: .isPending)
    }
  }
#endif
