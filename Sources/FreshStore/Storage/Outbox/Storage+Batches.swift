internal import Strategies

/// Puts and local writes of several collections, in one transaction.
extension Storage {
  /// What is stored together: the puts first.
  struct Batch: Sendable {
    var puts: [Write] = []
    var locals: [LocalWrite] = []

    var touched: Touched {
      var touched = Touched()
      for put in puts { touched.add(put.content.key, of: put.content.collection) }
      for local in locals { touched.add(local.write.key, of: local.write.collection) }
      return touched
    }
  }

  /// What became of a batch.
  enum StoredBatch: Sendable {
    /// All of it is stored.
    case stored(LocallyWritten)
    /// The record of a put has a local write; nothing is stored.
    case pending(RecordID)
  }

  /// Stores all of a batch, or nothing, in a transaction that survives a power cut.
  ///
  /// - Parameters:
  ///   - question: The request that the puts answer, where rules were awaited.
  ///   - begun: The number of the store's sequence as it began (``isWanted(begunAt:_:)``).
  /// - Throws: `wiped`, and stores nothing, for a batch from before a wipe.
  func store(
    _ batch: Batch, answering question: Question?, begun: Int64?, now: ClockReading
  ) throws(StoreError) -> StoredBatch {
    let stored = try database.write(
      .write, .full, marksWrites: !batch.locals.isEmpty, touching: batch.touched
    ) { (connection) throws(SQLiteError) -> StoredBatch? in
      guard try self.isWanted(begunAt: begun, connection) else { return nil }
      for put in batch.puts {
        let (collection, key) = (put.content.collection, put.content.key)
        if try self.identity(collection, key, connection)?.isPending == true {
          return .pending(RecordID(collection, key))
        }
      }
      try self.put(batch.puts, answering: question, now: now, connection)
      var written = LocallyWritten()
      for local in batch.locals {
        written.entries.append(try self.write(local, now: now, connection))
      }
      return .stored(written)
    }
    guard let stored else { throw wipedMeanwhile(.write) }
    return stored
  }

  private func put(
    _ puts: [Write], answering question: Question?, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard !puts.isEmpty else { return }
    var open: Question?
    if let question {
      if try isLeased(Self.noCollection, question.name, connection) { open = question }
      try dropLease(Self.noCollection, question.name, connection)
    }
    // A put is newer than every open request.
    let number = try nextNumber(connection)
    for put in puts {
      let (collection, key) = (put.content.collection, put.content.key)
      guard question == nil else {
        _ = try land(put, answering: open, under: number, now: now, connection)
        continue
      }
      _ = try store(put, epoch: number, mark: nil, now: now, connection)
      try dropLease(collection, key, connection)
      try log(.stored, collection, key, connection)
    }
  }
}
