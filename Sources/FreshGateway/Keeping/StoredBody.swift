#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore
  internal import Synchronization

  /// The bytes of a copy, as memory keeps them, with the head beside them once it was read.
  final class StoredBody: Sendable {
    let bytes: ByteBuffer
    private let head = Mutex<ReadHead?>(nil)

    init(_ bytes: ByteBuffer) { self.bytes = bytes }

    /// The head that was kept with the bytes; `nil` for a record that no gateway has written.
    func answer(_ metadata: String, _ variant: String?, _ policy: GatewayPolicy) -> StoredAnswer? {
      head.withLock { head in
        if let head, head.isOf(metadata, variant) { return head.answer }
        let read = ReadHead(metadata, variant, policy)
        head = read
        return read.answer
      }
    }

    /// Takes the head as it was read before the bytes were, from the same words.
    func take(_ answer: StoredAnswer, readFrom metadata: String, _ variant: String?) {
      head.withLock { $0 = $0 ?? ReadHead(metadata: metadata, variant: variant, answer: answer) }
    }
  }

  /// Unchanged bytes, in buffers that need no copy to be sent.
  struct StoredBodyCodec: Codec {
    let identifier = BytesCodec().identifier

    func encode(_ value: StoredBody) -> [UInt8] { Array(value.bytes.readableBytesView) }
    func decode(_ bytes: [UInt8]) -> StoredBody { StoredBody(ByteBuffer(bytes: bytes)) }
  }
#endif
