#if Gateway
  internal import FreshStore
  internal import NIOCore
  internal import Strategies

  /// A copy as it was read, and what it is to a request.
  struct HeldCopy: Sendable {
    let record: KeptRecord<StoredBody>
    let candidate: Candidate

    /// `nil` for a record that no gateway has written.
    init?(_ record: KeptRecord<StoredBody>, _ policy: GatewayPolicy) {
      guard let metadata = record.metadata,
        let answer = record.value.answer(metadata, record.variant, policy)
      else { return nil }
      let kept = answer.content.extents.reduce(0) { $0 + Int64($1.count) }
      guard kept == Int64(record.value.bytes.readableBytes) else { return nil }
      self.record = record
      candidate = Candidate(
        answer, residentTime: record.age - answer.initialAge, mark: Self.mark(record.mark))
    }

    var answer: StoredAnswer { candidate.answer }

    var content: ContentBytes { ContentBytes(content: answer.content, bytes: record.value.bytes) }

    private static func mark(_ reason: String?) -> Candidate.Mark {
      guard let reason else { return .none }
      return reason == invalidation || reason == removal ? .invalid : .stale
    }

    /// The reason of a mark after which a copy must be validated (RFC 9111 section 4.4).
    static let invalidation = "invalidated by an unsafe request"
    /// The same for one that was to be removed, on hosts that only hear of it.
    static let removal = "removed by a purge"
  }
#endif
