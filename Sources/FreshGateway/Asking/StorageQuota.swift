internal import Synchronization

#if Gateway
  internal import FreshStore
  internal import NIOCore
#endif

/// A limit for a total, such as the bytes of answers in flight to the store, which memory holds until they are whole.
final class StorageQuota: Sendable {
  private let taken = Atomic<Int>(0)
  let limit: Int

  init(limit: Int) { self.limit = limit }

  /// False when there is no room for them.
  func take(_ count: Int) -> Bool {
    let total = taken.add(count, ordering: .relaxed).newValue
    guard total > limit else { return true }
    taken.subtract(count, ordering: .relaxed)
    return false
  }

  func giveBack(_ count: Int) { taken.subtract(count, ordering: .relaxed) }
}

/// A pause in storing long answers, after the file took no more of one, as on a full disk. For some seconds no long
/// answer is stored, nor reported as stored.
final class StorePause: Sendable {
  private let failedAt = Atomic(Int64.min)

  /// In milliseconds.
  private static let length: Int64 = 10_000

  /// - Parameter now: In milliseconds since the machine started.
  func fail(at now: Int64) { failedAt.store(now, ordering: .relaxed) }

  func isOver(at now: Int64) -> Bool {
    let last = failedAt.load(ordering: .relaxed)
    return last == .min || now - last >= Self.length
  }
}

/// The bytes that were stored since the last prune.
///
/// A prune looks at the whole store. It is due once enough was stored to pass the limit by a small part, not after each
/// answer.
final class PruneTrigger: Sendable {
  private let stored = Mutex(0)
  private let share: Int?

  /// - Parameter limit: The most bytes in the store; `nil` for any number.
  init(of limit: Int?) {
    share = limit.map { max($0 / 16, 1 << 20) }
  }

  /// Adds bytes; true where a prune is due.
  func add(_ count: Int) -> Bool {
    guard let share else { return false }
    return stored.withLock { stored in
      stored += count
      guard stored >= share else { return false }
      stored = 0
      return true
    }
  }
}

#if Gateway
  /// The place in the file for long content while it arrives. Slow readers read it from there, and it stays there when
  /// it is stored.
  struct ContentSpill: Sendable {
    let writer: ContentWriter
    let reader: BlockReader
    /// The disk space that all content in flight shares.
    let room: StorageQuota
    /// Called with the error when content cannot be kept.
    let failed: @Sendable (StoreError) -> Void

    /// Content up to this length stays in memory until it is stored.
    static let threshold = Int64(ContentReference.blockSize)

    /// Adds bytes; returns how many of all can be read, or `nil` when the content cannot be kept.
    func add(_ bytes: ByteBuffer) async -> Int64? {
      do throws(StoreError) {
        return try await writer.add(Array(bytes.readableBytesView))
      } catch {
        // The disk is full, or the file may grow no further, or is gone.
        failed(error)
        return nil
      }
    }

    /// The readable bytes from an offset on; `nil` when they are gone.
    func bytes(from place: Int64, of readable: Int64) async -> ByteBuffer? {
      do throws(StoreError) {
        return try await reader.bytes(
          place..<readable, of: ContentReference(id: writer.id, size: readable))
      } catch {
        // The answer to the client ends early.
        return nil
      }
    }

    /// All of it, to be stored; `nil` when that fails.
    func finish() async -> ContentReference? {
      do throws(StoreError) {
        return try await writer.finish()
      } catch {
        failed(error)
        return nil
      }
    }

    /// Gives the content up, unless a record has it already. On a full disk blocks without readers are removed at once:
    /// nothing else could be stored meanwhile.
    func giveUp(isRead: Bool) async {
      await writer.giveUp(isRead: isRead)
      guard !isRead, await writer.hasMetFullDisk else { return }
      do throws(StoreError) {
        try await writer.store.collectContents(within: .seconds(1))
      } catch {
        // The next sweep tries again.
      }
    }
  }
#endif
