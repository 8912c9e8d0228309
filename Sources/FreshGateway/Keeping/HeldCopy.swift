#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore
  internal import Strategies

  /// A copy as it was read, and what it is to a request. Its bytes are read once it is chosen.
  struct HeldCopy: Sendable {
    let record: KeptRecord<StoredBody>
    let candidate: Candidate

    private init(_ record: KeptRecord<StoredBody>, _ candidate: Candidate) {
      (self.record, self.candidate) = (record, candidate)
    }

    /// `nil` for a record that no gateway has written.
    ///
    /// - Parameter heads: Those that were read already.
    init?(
      _ record: KeptRecord<StoredBody>, _ policy: GatewayPolicy, _ heads: ReadHeads? = nil
    ) {
      guard let metadata = record.metadata,
        let answer = Self.answer(record, metadata, policy, heads),
        Int64(record.value?.bytes.readableBytes ?? record.size) == answer.content.keptLength
      else { return nil }
      self.record = record
      candidate = Candidate(
        answer, residentTime: record.age - answer.initialAge, mark: Self.mark(record.mark),
        markAge: record.markAge)
    }

    private static func answer(
      _ record: KeptRecord<StoredBody>, _ metadata: String, _ policy: GatewayPolicy,
      _ heads: ReadHeads?
    ) -> StoredAnswer? {
      if let body = record.value { return body.answer(metadata, record.variant, policy) }
      // Memory never has the bytes of these, to keep their heads beside.
      if record.blocks != nil, let heads {
        return heads.answer(metadata, record.variant, of: record.key, policy)
      }
      return StoredAnswer(
        encoded: metadata, selection: VarySelection(encoded: record.variant), policy: policy)
    }

    var answer: StoredAnswer { candidate.answer }

    /// The same as if its mark were in the file already after which it must be validated.
    var invalidated: HeldCopy {
      HeldCopy(
        record,
        Candidate(
          answer, residentTime: candidate.residentTime, mark: .invalid, markAge: candidate.markAge))
    }

    /// Its bytes, or where they lie; `nil` where they were not read.
    var content: ContentBytes? {
      if let body = record.value { return ContentBytes(content: answer.content, bytes: body.bytes) }
      return record.blocks.map { blocks in
        ContentBytes(content: answer.content, stored: .init(blocks: blocks, record: record))
      }
    }

    /// True where its bytes are not here, and lie in one piece.
    var isReadAtOnce: Bool { record.value == nil && record.blocks == nil }
    /// True for more bytes than are to be read where others wait.
    var isLong: Bool { record.size > Self.longContent }

    private static let longContent = 128 << 10

    /// True for the very answer that this is: the head has its time in it.
    func isSame(as other: KeptRecord<StoredBody>) -> Bool {
      record.metadata.hasSameBytes(as: other.metadata)
        && record.variant.hasSameBytes(as: other.variant)
    }

    private static func mark(_ reason: String?) -> Candidate.Mark {
      guard let reason else { return .none }
      return reason == invalidation || reason == removal ? .invalid : .stale
    }

    /// The reason of a mark after which a copy must be validated (RFC 9111 section 4.4).
    static let invalidation = "invalidated by an unsafe request"
    /// The same for one that was to be removed, on hosts that only hear of it.
    static let removal = "removed by a purge"
  }

  extension KeptRecord {
    /// True for the record of this very answer.
    func isOf(_ answer: StoredAnswer) -> Bool {
      metadata.hasSameBytes(as: answer.encoded)
        && variant.hasSameBytes(as: answer.selection.encoded)
    }
  }

  extension AnswerPlan.Content {
    /// True where bytes of a copy are sent.
    var isOfCopy: Bool {
      switch self {
      case .none, .text: false
      case .whole, .range, .ranges: true
      }
    }
  }
#endif
