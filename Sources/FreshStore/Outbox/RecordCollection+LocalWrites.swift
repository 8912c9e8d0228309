internal import Strategies

extension RecordCollection {
  /// Writes a value locally at once; its source is told later, by a `Synchronizer` (module
  /// `FreshSync`).
  ///
  /// The value and its outbox entry are stored in one transaction that survives a power cut. From
  /// then on the record is served as written, and no fetch, put, sweep or prune changes it, until
  /// its source has answered every local write. The writes of a key are pushed in order.
  ///
  /// - Parameters:
  ///   - kind: The requested operation; `delete` is ``writeDeletion(of:options:)``.
  /// - Returns: The entry.
  /// - Throws: `refused` when the value breaks its rules; `valueTooLarge`, `notEncodable`,
  ///   `invalidKey`, `invalidArgument`; or the error of the file. Nothing is written then.
  @discardableResult
  public func write(
    _ value: Value, for key: String, as kind: WriteKind = .replace,
    options: WriteOptions = WriteOptions()
  ) async throws(StoreError) -> OutboxEntry {
    guard let entry = try await write([(key, value)], as: kind, options).first else {
      throw error(.superseded, .write, key)
    }
    return entry
  }

  /// Writes many values locally, in one transaction: all of them, or none. As
  /// ``write(_:for:as:options:)``; the key of an error is that of the value that caused it.
  ///
  /// - Parameters:
  ///   - kind: A creation or a replacement of each object.
  ///   - options: Facts that all of them share, so without an address.
  /// - Returns: The entries, in the order of their keys.
  @discardableResult
  public func write(
    _ values: [String: Value], as kind: WriteKind = .replace,
    options: WriteOptions = WriteOptions()
  ) async throws(StoreError) -> [OutboxEntry] {
    if case .patch = kind {
      throw error(.invalidArgument("a patch is for one object"), .write, nil)
    }
    guard options.address == nil else {
      throw error(.invalidArgument("an address is that of one object"), .write, nil)
    }
    return try await write(values.sorted { $0.key < $1.key }, as: kind, options)
  }

  private func write(
    _ values: [(key: String, value: Value)], as kind: WriteKind, _ options: WriteOptions
  ) async throws(StoreError) -> [OutboxEntry] {
    var writes: [StoredWrite] = []
    for (key, value) in values {
      try check(key, .write)
      guard kind != .delete else {
        throw error(.invalidArgument("a deletion has no value"), .write, key)
      }
      let admitted = try await admitted(value, for: key)
      var write = entry(kind, key, options)
      write.payload = try encoded(admitted, key, .write)
      if let patch = write.patch { try checkSize(patch.count, key) }
      writes.append(write)
    }
    return try await stored(writes, options).compactMap(\.self)
  }

  /// Deletes an object locally at once; its source is told later. As ``write(_:for:as:options:)``.
  ///
  /// - Returns: The entry; `nil` when it and the creation before it, which was never sent,
  ///   cancelled out (``WriteOptions/coalesces``).
  @discardableResult
  public func writeDeletion(
    of key: String, options: WriteOptions = WriteOptions()
  ) async throws(StoreError) -> OutboxEntry? {
    try check(key, .write)
    return try await stored([entry(.delete, key, options)], options).first.flatMap(\.self)
  }

  /// An entry without its value.
  func entry(_ kind: WriteKind, _ key: String, _ options: WriteOptions) -> StoredWrite {
    var write = StoredWrite(
      collection: name, key: key, kind: kind.entryKind,
      idempotencyKey: StoredWrite.newIdempotencyKey(), writtenAt: store.now().wall,
      contentType: options.contentType, codec: codec.identifier, contentVersion: contentVersion)
    if case .patch(let bytes, let contentType) = kind {
      write.patch = bytes
      write.patchType = contentType
    }
    return write
  }

  private func stored(
    _ writes: [StoredWrite], _ options: WriteOptions
  ) async throws(StoreError) -> [OutboxEntry?] {
    guard !writes.isEmpty else { return [] }
    let now = store.now()
    let locals = writes.map { write in
      Storage.LocalWrite(
        write: write, address: options.address, tags: options.tags, expiry: policy.expiry,
        mediaType: codec.mediaType, coalesces: options.coalesces)
    }
    let stored = try await store.queue.run { [store, name] () throws(StoreError) in
      try store.storage.write(locals, in: name, now: now)
    }
    for (write, stored) in zip(writes, stored) {
      store.hub.publish(
        Change(kind: stored == nil ? .restored : .written, collection: name, key: write.key))
    }
    return stored.map { $0?.entry(at: now) }
  }

  private func checkSize(_ bytes: Int, _ key: String) throws(StoreError) {
    let limit = store.configuration.valueLimit
    guard bytes <= limit else {
      throw error(.valueTooLarge(bytes: bytes, limit: limit), .write, key)
    }
  }
}

extension WriteKind {
  /// The kind without its content.
  var entryKind: OutboxEntry.Kind {
    switch self {
    case .create: .create
    case .replace: .replace
    case .patch: .patch
    case .delete: .delete
    }
  }
}
