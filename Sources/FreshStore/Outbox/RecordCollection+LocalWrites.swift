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
  ///   - kind: The requested operation; `delete` is ``writeDeletion(of:basedOn:options:)``.
  ///   - base: The copy from which the value was made, such as the one that a form was opened with: the
  ///     source is told of its version (HTTP: `If-Match`), and when another one has come since, from the
  ///     source or by a local write, that is a conflict. `nil` for the copy at the time of the write.
  /// - Returns: The entry.
  /// - Throws: `refused` when the value breaks its rules; `valueTooLarge`, `notEncodable`,
  ///   `invalidKey`, `invalidArgument`; or the error of the file. Nothing is written then.
  @discardableResult
  public func write(
    _ value: Value, for key: String, as kind: WriteKind = .replace,
    basedOn base: Copy<Value>? = nil,
    options: WriteOptions = WriteOptions()
  ) async throws(StoreError) -> OutboxEntry {
    var write = try await write(value, key, kind, options)
    guard let base else {
      guard let entry = try await stored([write], options)?.first.flatMap(\.self) else {
        throw error(.superseded, .write, key)
      }
      return entry
    }
    while true {
      let expected = try await note(base, in: &write)
      if let entry = try await stored([write], options, expected)?.first.flatMap(\.self) {
        return entry
      }
    }
  }

  /// Writes many values locally, in one transaction: all of them, or none. As
  /// ``write(_:for:as:basedOn:options:)``; the key of an error is that of the value that caused it.
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
    var writes: [StoredWrite] = []
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      writes.append(try await write(value, key, kind, options))
    }
    return try await stored(writes, options)?.compactMap(\.self) ?? []
  }

  private func write(
    _ value: Value, _ key: String, _ kind: WriteKind, _ options: WriteOptions
  ) async throws(StoreError) -> StoredWrite {
    try check(key, .write)
    guard kind != .delete else {
      throw error(.invalidArgument("a deletion has no value"), .write, key)
    }
    let admitted = try await admitted(value, for: key)
    var write = entry(kind, key, options)
    write.payload = try encoded(admitted, key, .write)
    if let patch = write.patch { try checkSize(patch.count, key) }
    return write
  }

  /// Deletes an object locally at once; its source is told later. As
  /// ``write(_:for:as:basedOn:options:)``.
  ///
  /// - Returns: The entry; `nil` when it and the creation before it, which was never sent,
  ///   cancelled out (``WriteOptions/coalesces``).
  @discardableResult
  public func writeDeletion(
    of key: String, basedOn base: Copy<Value>? = nil, options: WriteOptions = WriteOptions()
  ) async throws(StoreError) -> OutboxEntry? {
    try check(key, .write)
    var write = entry(.delete, key, options)
    while true {
      let expected: Storage.Expected? =
        if let base { try await note(base, in: &write) } else { nil }
      if let stored = try await stored([write], options, expected) {
        return stored.first.flatMap(\.self)
      }
    }
  }

  /// Changes an object locally, from its present value: nothing that is stored meanwhile, by this process
  /// or another, is overwritten unseen. As ``write(_:for:as:basedOn:options:)``; an object that does not
  /// exist is created.
  ///
  /// ```swift
  /// try await sites.update("7") { site in
  ///   guard var site else { return nil }
  ///   site.visits += 1
  ///   return site
  /// }
  /// ```
  ///
  /// - Parameter change: The new value, given the present one, whether it is fresh or not, or `nil` where
  ///   there is none: what it returns then is created. A result of `nil` leaves the object as it is. It is called again when the object has changed meanwhile.
  /// - Returns: The entry; `nil` when nothing was to be changed.
  /// - Throws: As a write; `unreadable` when there is a value that cannot be read.
  @discardableResult
  public func update(
    _ key: String, options: WriteOptions = WriteOptions(), _ change: (Value?) -> Value?
  ) async throws(StoreError) -> OutboxEntry? {
    try check(key, .write)
    while true {
      let current = try store.storage.record(name, key)
      let value = try current.flatMap { (record) throws(StoreError) in try readable(record) }
      guard let changed = change(value) else { return nil }
      let write = try await write(changed, key, value == nil ? .create : .replace, options)
      if let stored = try await stored([write], options, Storage.Expected(current)) {
        return stored.first.flatMap(\.self)
      }
    }
  }

  /// The value of a record; `nil` for one that has none.
  private func readable(_ record: StoredRecord) throws(StoreError) -> Value? {
    guard record.kind == .value || !record.isIntact else { return nil }
    let key = record.content.key
    guard record.isIntact else { throw error(.unreadable("it is damaged"), .write, key) }
    do throws(UnusableValue) {
      return try decode(
        record.content.value ?? [], writtenBy: record.content.codec, record.content.contentVersion)
    } catch {
      throw self.error(.unreadable("\(error.cause)"), .write, key)
    }
  }

  /// Gives a write the copy that it was made from as its basis, unless that is what is stored now. Returns
  /// what is stored now.
  private func note(
    _ base: Copy<Value>, in write: inout StoredWrite
  ) async throws(StoreError) -> Storage.Expected {
    guard base.key.hasSameBytes(as: write.key) else {
      throw error(.invalidArgument("the base is a copy of \(base.key)"), .write, write.key)
    }
    let current = try store.storage.record(name, write.key)
    if let current, isSame(base, current) {
      write.basis = nil
    } else {
      var basis = WriteBasis()
      basis.value = try encoded(base.value, write.key, .write)
      (basis.codec, basis.contentVersion) = (codec.identifier, contentVersion)
      (basis.validators, basis.metadata) = (base.validators, base.origin?.metadata)
      write.basis = basis
    }
    return Storage.Expected(current)
  }

  /// True when the record still is the version of the object that a copy shows.
  private func isSame(_ copy: Copy<Value>, _ record: StoredRecord) -> Bool {
    guard record.kind == .value, record.isIntact else { return false }
    if let tag = record.content.validators.entityTag, tag == copy.validators.entityTag {
      return true
    }
    do {
      let value = try decoded(
        record.content.value ?? [], writtenBy: record.content.codec, record.content.contentVersion)
      return try codec.areSame(copy.value, value)
    } catch {
      return false
    }
  }

  /// An entry without its value.
  func entry(_ kind: WriteKind, _ key: String, _ options: WriteOptions) -> StoredWrite {
    var write = StoredWrite(
      collection: name, key: key, kind: kind.entryKind,
      idempotencyKey: StoredWrite.newIdempotencyKey(), writtenAt: store.now().wall,
      contentType: options.contentType, codec: codec.identifier, contentVersion: contentVersion,
      priority: Int64(options.priority), after: options.after)
    if case .patch(let bytes, let contentType) = kind {
      write.patch = bytes
      write.patchType = contentType
    }
    return write
  }

  /// The entries of the writes; `nil` when the record is not the expected one any more.
  private func stored(
    _ writes: [StoredWrite], _ options: WriteOptions, _ expected: Storage.Expected? = nil
  ) async throws(StoreError) -> [OutboxEntry?]? {
    guard !writes.isEmpty else { return [] }
    let now = store.now()
    if let after = options.after, try store.storage.lastWriteNumber() < after {
      throw error(.invalidArgument("there is no local write \(after) to come after"), .write, nil)
    }
    let locals = writes.map { write in
      Storage.LocalWrite(
        write: write, address: options.address, tags: options.tags, expiry: policy.expiry,
        mediaType: codec.mediaType, coalesces: options.coalesces, expected: expected)
    }
    let stored = try await store.queue.run { [store, name] () throws(StoreError) in
      try store.storage.write(locals, in: name, now: now)
    }
    guard let stored else { return nil }
    // One that was replaced keeps its number.
    store.unread.forget(stored.entries.compactMap { $0?.id })
    store.publish(stored.changes)
    return stored.entries.map { $0?.entry(at: now) }
  }

  func checkSize(_ bytes: Int, _ key: String) throws(StoreError) {
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
