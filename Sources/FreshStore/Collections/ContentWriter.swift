internal import Strategies

/// Writes a value in blocks while it arrives, for a record that is stored once the value is complete
/// (``CopyChanges/Addition``). Memory holds at most one block.
///
/// Each block is a transaction of its own. The store collects the blocks of a value that no record takes. After the
/// release of a writer that has given up, it does so a second or some minutes later. After a crash it does so within
/// two hours.
package actor ContentWriter {
  /// The number of the value, by which its blocks can be read as soon as they are written.
  package nonisolated let id = ContentReference.drawn()
  package nonisolated let store: Store
  /// The number of the request that the value answers.
  private let begun: Int64?
  private let limit: Int
  private var rest: [UInt8] = []
  private var sum = ContentSum()
  private var hasFailed = false
  /// Another value may replace this one while clients still read the written blocks.
  private var reading: ContentReading?
  /// True once the file could not take more of the value, for example because the disk is full.
  package private(set) var hasMetFullDisk = false

  /// - Parameters:
  ///   - request: The request that the value answers. After a wipe, nothing is written for a request from before it.
  ///   - limit: Nothing is written while the values in the file without a record are longer than this in total, in
  ///     bytes.
  package init(_ store: Store, for request: SourceRequest? = nil, within limit: Int = .max) {
    (self.store, begun, self.limit) = (store, request?.open.number, limit)
  }

  /// Adds bytes, and writes the full blocks. Call it again only once it has returned.
  ///
  /// - Returns: The bytes that can be read from the file; `nil` when the value is gone, as after a wipe.
  /// - Throws: The error of the file, for example because it is full.
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

  /// Writes the rest, and returns the value in the form that a record takes.
  ///
  /// It returns `nil` when the value is gone. It also does so for a value of at most one block, which belongs into the
  /// row of its record.
  package func finish() async throws(StoreError) -> ContentReference? {
    guard sum.blocks > 0, try await write(rest[...]) else { return nil }
    rest = []
    return ContentReference(id: id, size: sum.size, checksum: sum.checksum)
  }

  /// Gives the value up: it is not stored, unless a record has it already.
  ///
  /// - Parameter isRead: False where no client reads the value, so that it need not stay for some minutes.
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
      // The value is collected later, as a value that never ends.
      store.report(.notStored(error))
    }
  }

  private func write(_ block: ArraySlice<UInt8>) async throws(StoreError) -> Bool {
    guard !hasFailed else { return false }
    let (bytes, number, now) = (Array(block), sum.blocks, store.now())
    if reading == nil { reading = store.reading(id) }
    // No block may be written twice, whether or not this write succeeds.
    hasFailed = true
    let isWritten: Bool
    do throws(StoreError) {
      isWritten = try await store.queue.run { [store, id, begun, limit] () throws(StoreError) in
        try store.storage.add(bytes, number, to: id, begunAt: begun, within: limit, now: now)
      }
    } catch {
      // Beyond its limit for the size of a file, a process gets a failed write, and not the error of a full disk.
      hasMetFullDisk = error.code == .full || error.code == .inputOutput
      throw error
    }
    guard isWritten else { return false }
    sum.add(block)
    hasFailed = false
    return true
  }
}
