#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import Synchronization

  /// A head, and the text that it was read from.
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

  /// The heads of the long copies that were last asked for: their bytes are never in memory as a whole, to have the head
  /// beside them, and each request for them would read it anew.
  final class ReadHeads: Sendable {
    private let places: Mutex<[ReadHead?]>

    /// - Parameter count: The number of copies. Each has a place, which the last one that comes to it takes.
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
