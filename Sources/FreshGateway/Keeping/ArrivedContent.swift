#if Gateway
  internal import FreshStore
  internal import NIOCore

  /// All of an answer's content, as it is about to be stored.
  enum ArrivedContent: Sendable {
    /// It is short, and becomes a part of its record.
    case bytes(ByteBuffer)
    /// It was written into blocks while it arrived.
    case blocks(ContentReference)

    var length: Int64 {
      switch self {
      case .bytes(let bytes): Int64(bytes.readableBytes)
      case .blocks(let blocks): blocks.size
      }
    }
  }
#endif
