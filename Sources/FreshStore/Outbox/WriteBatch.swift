/// Puts and local writes, of any collections of one store, that are stored together: all of them, or none.
///
/// ```swift
/// var batch = WriteBatch()
/// batch.put(site, for: "7", in: sites)
/// batch.write(report, for: "9", in: reports)
/// try await store.commit(batch)
/// ```
public struct WriteBatch: Sendable {
  /// The content of a part once its rules have admitted it.
  enum Prepared: Sendable {
    case put(Storage.Write)
    case local(Storage.LocalWrite)
  }

  struct Part: Sendable {
    let store: Store
    let collection: String
    let key: String
    let awaitsRules: Bool
    let prepare: @Sendable (ClockReading) async throws(StoreError) -> Prepared
  }

  private(set) var parts: [Part] = []

  /// A batch that stores nothing.
  public init() {}

  /// Adds a put, as `RecordCollection.put(_:for:details:isPinned:durability:)`.
  ///
  /// All puts of a batch are stored before its local writes.
  public mutating func put<Value>(
    _ value: Value, for key: String, in collection: RecordCollection<Value>,
    details: FetchDetails = FetchDetails()
  ) {
    add(to: collection, key) { (now) async throws(StoreError) in
      try collection.check(key, .put)
      let admitted = try await collection.admitted(value, for: key)
      let expiry = details.expiry(orOfPolicy: collection.policy.expiry)
      var content = collection.content(key, details, expiry: expiry)
      content.lastUpdate = content.lastUpdate ?? now.wall
      content.value = try collection.encoded(admitted, key, .put)
      return .put(Storage.Write(content: content, tags: details.tags))
    }
  }

  /// Adds a local write, as `RecordCollection.write(_:for:as:options:)`.
  public mutating func write<Value>(
    _ value: Value, for key: String, in collection: RecordCollection<Value>,
    as kind: WriteKind = .replace, options: WriteOptions = WriteOptions()
  ) {
    add(to: collection, key) { (_) async throws(StoreError) in
      try collection.checkPredecessor(of: options)
      return .local(
        collection.local(try await collection.newWrite(value, key, kind, options), options))
    }
  }

  /// Adds a local deletion, as `RecordCollection.writeDeletion(of:options:)`.
  public mutating func writeDeletion<Value>(
    of key: String, in collection: RecordCollection<Value>, options: WriteOptions = WriteOptions()
  ) {
    add(to: collection, key) { (_) async throws(StoreError) in
      try collection.check(key, .write)
      try collection.checkPredecessor(of: options)
      return .local(collection.local(collection.entry(.delete, key, options), options))
    }
  }

  private mutating func add<Value>(
    to collection: RecordCollection<Value>, _ key: String,
    _ prepare: @escaping @Sendable (ClockReading) async throws(StoreError) -> Prepared
  ) {
    parts.append(
      Part(
        store: collection.store, collection: collection.name, key: key,
        awaitsRules: collection.awaitsRules, prepare: prepare))
  }
}

extension Store {
  /// Stores all of a batch, or nothing, in one transaction that survives a power cut.
  ///
  /// If the process ends meanwhile, all of the batch is stored, or none. A reader in another process finds all of it,
  /// or none. Rules are asked before.
  ///
  /// This says nothing of the order in which the sources are told: see `WriteOptions.after`, and `SyncOptions.order` of
  /// the module `FreshSync`.
  ///
  /// - Returns: The entries of its local writes, in their order; `nil` for a deletion that has cancelled out with the
  ///   creation before it.
  /// - Throws: The errors of a put and of a local write. `pendingWrite` when the record of a put has a local write
  ///   already. `invalidArgument` for a part of another store. Nothing is stored then.
  @discardableResult
  public func commit(_ batch: WriteBatch) async throws(StoreError) -> [OutboxEntry?] {
    guard !batch.parts.isEmpty else { return [] }
    for part in batch.parts where part.store !== self {
      throw StoreError(
        .invalidArgument("a part of the batch is of another store"), .write,
        collection: part.collection, key: part.key, path: path)
    }
    let (begun, now) = (numberOfRequest(), now())
    // A mark may be set while a rule takes its time.
    let question: Storage.Question? =
      if batch.parts.contains(where: \.awaitsRules) {
        try await queue.run { [storage] () throws(StoreError) in
          try storage.ask(begun: begun, now: now)
        }
      } else {
        nil
      }
    do throws(StoreError) {
      return try await commit(batch, answering: question, begun: begun, now: now)
    } catch {
      if let question { await withdraw(question) }
      throw error
    }
  }

  private func commit(
    _ batch: WriteBatch, answering question: Storage.Question?, begun: Int64?, now: ClockReading
  ) async throws(StoreError) -> [OutboxEntry?] {
    var prepared = Storage.Batch()
    for part in batch.parts {
      switch try await part.prepare(now) {
      case .put(let put): prepared.puts.append(put)
      case .local(let local): prepared.locals.append(local)
      }
    }
    let stored = try await queue.run { [storage, prepared] () throws(StoreError) in
      try storage.store(prepared, answering: question, begun: begun, now: now)
    }
    switch stored {
    case .pending(let record):
      throw StoreError(
        .pendingWrite, .put, collection: record.collection, key: record.key, path: path)
    case .stored(let written):
      for put in prepared.puts {
        let (collection, key) = (put.content.collection, put.content.key)
        closeFlights(collection) { $0.hasSameBytes(as: key) }
      }
      unread.forget(written.entries.compactMap { $0?.id })
      return written.entries.map { $0?.entry(at: now) }
    }
  }
}
