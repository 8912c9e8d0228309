internal import Strategies

/// Writes a value bit by bit while it arrives, for a record that is stored once all of it is there
/// (``CopyChanges/Addition``). Memory holds one block of it at the most.
///
/// Each block is a transaction of its own. What is never stored is collected: when it was given up, a second after the
/// writer is let go or some minutes later, and after a crash within two hours.
package actor ContentWriter {
  /// The number of the value, by which its blocks can be read as soon as they are written.
  package nonisolated let id = ContentReference.drawn()
  package nonisolated let store: Store
  /// The number of the request that it answers.
  private let begun: Int64?
  private let limit: Int
  private var rest: [UInt8] = []
  private var sum = ContentSum()
  private var hasFailed = false
  /// Something else may take its place while others still read what was written.
  private var reading: ContentReading?
  /// True once the file could not take more of it, as for want of room on the disk.
  package private(set) var hasMetFullDisk = false

  /// - Parameters:
  ///   - request: The one that the value answers: of one from before a wipe nothing is written after it.
  ///   - limit: Nothing is written while the values in the file that no record has are longer than this, together, in
  ///     bytes.
  package init(_ store: Store, for request: SourceRequest? = nil, within limit: Int = .max) {
    (self.store, begun, self.limit) = (store, request?.open.number, limit)
  }

  /// Adds bytes, and writes what is a full block. Call it again once it has returned.
  ///
  /// - Returns: The bytes that can be read from the file; `nil` when the value is gone, as after a wipe.
  /// - Throws: The error of the file, as when it is full.
  package func add(_ bytes: [UInt8]) async throws(StoreError) -> Int64? {
    rest += bytes
    var left = rest[...]
    // A value that ends with its first block belongs into a row.
    while left.count > ContentReference.blockSize {
      guard try await write(left.prefix(ContentReference.blockSize)) else { return nil }
      left = left.dropFirst(ContentReference.blockSize)
    }
    if left.startIndex > 0 { rest = Array(left) }
    return hasFailed ? nil : sum.size
  }

  /// Writes what is left; the value, as a record may have it. `nil` when it is gone, or is not longer than a block,
  /// and so belongs into the row of its record.
  package func finish() async throws(StoreError) -> ContentReference? {
    guard sum.blocks > 0, try await write(rest[...]) else { return nil }
    rest = []
    return ContentReference(id: id, size: sum.size, checksum: sum.checksum)
  }

  /// The value is not stored, unless a record has it already.
  ///
  /// - Parameter isRead: False where nobody reads it, so that it need not stay for some minutes.
  package func giveUp(isRead: Bool = true) async {
    guard sum.blocks > 0 else { return }
    let now = store.now()
    do throws(StoreError) {
      try await store.makingRoom(for: .complete) {
        [store, id] () async throws(StoreError) -> Void in
        try await store.queue.run { () throws(StoreError) in
          try store.storage.giveUpContent(id, isRead: isRead, now: now)
        }
      }
    } catch {
      // It is collected later, as one that never ends.
      store.report(.notStored(error))
    }
  }

  private func write(_ block: ArraySlice<UInt8>) async throws(StoreError) -> Bool {
    guard !hasFailed else { return false }
    let (bytes, number, now) = (Array(block), sum.blocks, store.now())
    if reading == nil { reading = store.reading(id) }
    // Whatever becomes of it, no block may be written twice.
    hasFailed = true
    let isWritten: Bool
    do throws(StoreError) {
      isWritten = try await store.queue.run { [store, id, begun, limit] () throws(StoreError) in
        try store.storage.add(bytes, number, to: id, begunAt: begun, within: limit, now: now)
      }
    } catch {
      // Beyond its limit of a file's size a process is told of no full disk, but of a failed write.
      hasMetFullDisk = error.code == .full || error.code == .inputOutput
      throw error
    }
    guard isWritten else { return false }
    sum.add(block)
    hasFailed = false
    return true
  }
}
