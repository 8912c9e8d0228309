#if Gateway
  internal import FreshStore
  internal import NIOCore
  internal import Synchronization

  /// The blocks that were last read, for those who read the same: of the answers of many clients, whoever is at the
  /// same place shares one block. A block never changes, and no other one ever has its name.
  final class BlockCache: Sendable {
    private struct Entry {
      let content: Int64
      let number: Int
      let bytes: ByteBuffer
    }

    /// The one that was used last stands last.
    private let entries = Mutex<[Entry]>([])
    private let capacity: Int

    /// - Parameter capacity: The number of blocks, of 256 KiB each.
    init(capacity: Int = 64) { self.capacity = capacity }

    func block(_ number: Int, of reference: ContentReference) -> ByteBuffer? {
      entries.withLock { entries in
        guard
          let place = entries.lastIndex(where: {
            $0.content == reference.id && $0.number == number
          })
        else { return nil }
        let entry = entries.remove(at: place)
        entries.append(entry)
        return entry.bytes
      }
    }

    func add(_ bytes: ByteBuffer, _ number: Int, of reference: ContentReference) {
      entries.withLock { entries in
        entries.removeAll { $0.content == reference.id && $0.number == number }
        if entries.count >= capacity { entries.removeFirst() }
        entries.append(Entry(content: reference.id, number: number, bytes: bytes))
      }
    }
  }
#endif
