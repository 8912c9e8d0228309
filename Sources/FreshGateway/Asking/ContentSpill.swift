#if Gateway
  internal import FreshStore
  internal import NIOCore

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
