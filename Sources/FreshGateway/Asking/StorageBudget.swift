internal import Synchronization

#if Gateway
  internal import FreshStore
  internal import NIOCore
#endif

/// The bytes of answers that are on their way into the store, which memory holds until they are whole.
final class StorageBudget: Sendable {
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

/// Whether the file has taken no more of a long answer just now, as on a full disk: for some seconds long answers are not
/// begun to be kept, nor said to be.
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

/// How much was stored since room was made for it last. Making room costs a look at all that is there: it is due once so
/// much has come that the limit may be passed by a small part, and not for each answer.
final class StoredShare: Sendable {
  private let stored = Mutex(0)
  private let share: Int?

  /// - Parameter limit: The most bytes that may be there; `nil` for any number.
  init(of limit: Int?) {
    share = limit.map { max($0 / 16, 1 << 20) }
  }

  /// Adds bytes; true where room is to be made now.
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
  /// Where content goes while it arrives, once it is too long for memory: into the file, whence those who fall behind
  /// read it, and where it is when it is stored.
  struct ContentSpill: Sendable {
    let writer: ContentWriter
    let reader: BlockReader
    /// The room on the disk that all content on its way shares.
    let room: StorageBudget
    /// Hears why content cannot be kept.
    let failed: @Sendable (StoreError) -> Void

    /// Content that is not longer stays in memory until it is stored.
    static let threshold = Int64(ContentReference.blockSize)

    /// Adds bytes; returns how many of all can be read, or `nil` when it cannot be kept.
    func add(_ bytes: ByteBuffer) async -> Int64? {
      do throws(StoreError) {
        return try await writer.add(Array(bytes.readableBytesView))
      } catch {
        // The disk is full, or the file may grow no further, or is gone.
        failed(error)
        return nil
      }
    }

    /// The bytes from a place on, of those that can be read; `nil` when they are gone.
    func bytes(from place: Int64, of readable: Int64) async -> ByteBuffer? {
      do throws(StoreError) {
        return try await reader.bytes(
          place..<readable, of: ContentReference(id: writer.id, size: readable))
      } catch {
        // What is being sent ends early.
        return nil
      }
    }

    /// All of it, to be stored; `nil` when it cannot be.
    func finish() async -> ContentReference? {
      do throws(StoreError) {
        return try await writer.finish()
      } catch {
        failed(error)
        return nil
      }
    }

    /// It is not stored, unless a record has it already. On a full disk the blocks that nobody reads go at once: nothing
    /// else could be kept meanwhile.
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
