#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore
  internal import Strategies
  internal import Synchronization

  /// A copy as it was read, and the candidate that it is. Its bytes are read once it is chosen.
  struct HeldCopy: Sendable {
    let record: KeptRecord<StoredBody>
    let candidate: Candidate

    private init(_ record: KeptRecord<StoredBody>, _ candidate: Candidate) {
      (self.record, self.candidate) = (record, candidate)
    }

    /// `nil` for a record that no gateway has written.
    ///
    /// - Parameter heads: The heads that were read already.
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
      // These bytes are never in memory, where their head could be stored with them.
      if record.blocks != nil, let heads {
        return heads.answer(metadata, record.variant, of: record.key, policy)
      }
      return StoredAnswer(
        encoded: metadata, selection: VarySelection(encoded: record.variant), policy: policy)
    }

    var answer: StoredAnswer { candidate.answer }

    /// The copy as if its invalidation were in the file already.
    var invalidated: HeldCopy {
      HeldCopy(
        record,
        Candidate(
          answer, residentTime: candidate.residentTime, mark: .invalid, markAge: candidate.markAge))
    }

    /// Its bytes, or their place; `nil` where they were not read.
    var content: ContentBytes? {
      if let body = record.value { return ContentBytes(content: answer.content, bytes: body.bytes) }
      return record.blocks.map { blocks in
        ContentBytes(content: answer.content, stored: .init(blocks: blocks, record: record))
      }
    }

    /// True where its bytes were not read, and are not in blocks.
    var isReadAtOnce: Bool { record.value == nil && record.blocks == nil }
    /// True for more bytes than an event loop may read.
    var isLong: Bool { record.size > Self.longContent }

    private static let longContent = 128 << 10

    /// True for the record of the same answer: the head holds its time.
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
    /// The same for a removed copy, on hosts that only hear of the removal.
    static let removal = "removed by a purge"
  }

  extension KeptRecord {
    /// True for the record of this same answer.
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

  /// The bytes of a copy in memory, with the head once it was read.
  final class StoredBody: Sendable {
    let bytes: ByteBuffer
    private let head = Mutex<ReadHead?>(nil)

    init(_ bytes: ByteBuffer) { self.bytes = bytes }

    /// The head that was stored with the bytes; `nil` for a record that no gateway has written.
    func answer(_ metadata: String, _ variant: String?, _ policy: GatewayPolicy) -> StoredAnswer? {
      head.withLock { head in
        if let head, head.isOf(metadata, variant) { return head.answer }
        let read = ReadHead(metadata, variant, policy)
        head = read
        return read.answer
      }
    }

    /// Takes over a head that was read before the bytes, from the same text.
    func take(_ answer: StoredAnswer, readFrom metadata: String, _ variant: String?) {
      head.withLock { $0 = $0 ?? ReadHead(metadata: metadata, variant: variant, answer: answer) }
    }
  }

  /// Unchanged bytes, in buffers that can be sent without another copy.
  struct StoredBodyCodec: Codec {
    let identifier = BytesCodec().identifier

    func encode(_ value: StoredBody) -> [UInt8] { Array(value.bytes.readableBytesView) }
    func decode(_ bytes: [UInt8]) -> StoredBody { StoredBody(ByteBuffer(bytes: bytes)) }
  }

  /// A head, and the text from which it was read.
  struct ReadHead: Sendable {
    let metadata: String
    let variant: String?
    /// `nil` for a text that no gateway has written.
    let answer: StoredAnswer?

    func isOf(_ metadata: String, _ variant: String?) -> Bool {
      self.metadata.hasSameBytes(as: metadata) && self.variant.hasSameBytes(as: variant)
    }
  }

  extension ReadHead {
    init(_ metadata: String, _ variant: String?, _ policy: GatewayPolicy) {
      let answer = StoredAnswer(
        encoded: metadata, selection: VarySelection(encoded: variant), policy: policy)
      self.init(metadata: metadata, variant: variant, answer: answer)
    }
  }

  /// The heads of the long copies that were requested last. Their bytes are never in memory as a whole, so without this
  /// each request would read the head again.
  final class ReadHeads: Sendable {
    private let places: Mutex<[ReadHead?]>

    /// - Parameter count: The number of heads. Each has a slot by its key, which the latest head takes.
    init(count: Int = 64) { places = Mutex(Array(repeating: nil, count: count)) }

    func answer(
      _ metadata: String, _ variant: String?, of key: String, _ policy: GatewayPolicy
    ) -> StoredAnswer? {
      let hash = UInt(bitPattern: key.hashValue)
      return places.withLock { places in
        let index = Int(hash % UInt(places.count))
        if let head = places[index], head.isOf(metadata, variant) { return head.answer }
        let read = ReadHead(metadata, variant, policy)
        places[index] = read
        return read.answer
      }
    }
  }
#endif
