internal import Strategies

extension RecordCollection {
  /// Writes a value locally at once; its source is told later, by a `Synchronizer` (module
  /// `FreshSync`).
  ///
  /// The value and its outbox entry are stored in one transaction that survives a power cut. From then on the record is
  /// served as written. No fetch, put, sweep or prune changes it, until its source has answered every local write. The
  /// writes of a key are pushed in order.
  ///
  /// The write is based on the record that is stored at its time, even if the value was made from an older one. A form
  /// that was opened earlier states its basis (``write(_:for:as:basedOn:options:)``). A change of the present value is
  /// an ``update(_:options:_:)``.
  ///
  /// - Parameter kind: The requested operation; `delete` is ``writeDeletion(of:options:)``.
  /// - Returns: The entry.
  /// - Throws: `refused` when the value breaks its rules. `valueTooLarge`, `notEncodable`, `invalidKey` or
  ///   `invalidArgument`. `wiped` when the store was wiped since the call. Otherwise the error of the file. Nothing is
  ///   written then.
  @discardableResult
  public func write(
    _ value: Value, for key: String, as kind: WriteKind = .replace,
    options: WriteOptions = WriteOptions()
  ) async throws(StoreError) -> OutboxEntry {
    let begun = store.numberOfRequest()
    let write = try await newWrite(value, key, kind, options)
    guard let entry = try await stored([write], options, begun)?.first.flatMap(\.self) else {
      throw error(.superseded, .write, key)
    }
    return entry
  }

  /// Writes many values locally, in one transaction: all of them, or none.
  ///
  /// This is as ``write(_:for:as:options:)``. An error names the key of the value that caused it.
  ///
  /// - Parameters:
  ///   - kind: A creation or a replacement of each object.
  ///   - options: The facts that all of them share, which have no address.
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
    let begun = store.numberOfRequest()
    var writes: [StoredWrite] = []
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      writes.append(try await newWrite(value, key, kind, options))
    }
    return try await stored(writes, options, begun)?.compactMap(\.self) ?? []
  }

  /// The entry of a value that its rules admit.
  func newWrite(
    _ value: Value, _ key: String, _ kind: WriteKind, _ options: WriteOptions
  ) async throws(StoreError) -> StoredWrite {
    let admitted = try await admittedForWrite(value, key, kind)
    return try written(admitted, key, kind, options)
  }

  /// A value in the form that its rules admit, if a write of that kind may have a value.
  func admittedForWrite(
    _ value: Value, _ key: String, _ kind: WriteKind
  ) async throws(StoreError) -> Value {
    try check(key, .write)
    guard kind != .delete else {
      throw error(.invalidArgument("a deletion has no value"), .write, key)
    }
    return try await admitted(value, for: key)
  }

  /// The entry of an admitted value.
  func written(
    _ admitted: Value, _ key: String, _ kind: WriteKind, _ options: WriteOptions
  ) throws(StoreError) -> StoredWrite {
    var write = entry(kind, key, options)
    write.payload = try encoded(admitted, key, .write)
    if let patch = write.patch { try checkSize(patch.count, key) }
    return write
  }

  /// Deletes an object locally at once; its source is told later. This is as ``write(_:for:as:options:)``.
  ///
  /// - Returns: The entry; `nil` when the deletion and the creation before it, which was never sent, cancelled out
  ///   (``WriteOptions/coalesces``).
  @discardableResult
  public func writeDeletion(
    of key: String, options: WriteOptions = WriteOptions()
  ) async throws(StoreError) -> OutboxEntry? {
    try check(key, .write)
    let begun = store.numberOfRequest()
    return try await stored([entry(.delete, key, options)], options, begun)?.first.flatMap(\.self)
  }

  /// Changes an object locally, from its present value. This is as ``write(_:for:as:options:)``.
  ///
  /// Nothing that any process stores meanwhile is overwritten unseen.
  ///
  /// ```swift
  /// try await sites.update("7") { $0?.visits += 1 }
  /// ```
  ///
  /// - Parameter change: Changes the present value, whether it is fresh or not; `nil` where there is none. A value in
  ///   place of `nil` creates the object, and `nil` in place of a value deletes it. A value that is the same afterwards
  ///   (``Codec/areSame(_:_:)``) writes nothing. The closure is called again when the object has changed meanwhile.
  /// - Returns: The entry; `nil` when nothing was written, or a deletion and its creation cancelled out.
  /// - Throws: The errors of a write; `unreadable` when there is a value that cannot be read.
  @discardableResult
  public func update(
    _ key: String, options: WriteOptions = WriteOptions(), _ change: (inout Value?) -> Void
  ) async throws(StoreError) -> OutboxEntry? {
    try check(key, .write)
    let begun = store.numberOfRequest()
    while true {
      let current = try store.storage.record(name, key)
      let before = try policy.own(current).flatMap { (record) throws(StoreError) in
        try readable(record)
      }
      var after = before
      change(&after)
      let write: StoredWrite
      switch (before, after) {
      case (nil, nil): return nil
      case (let before?, let after?) where areSame(before, after): return nil
      case (_, let after?):
        write = try await newWrite(after, key, before == nil ? .create : .replace, options)
      case (_?, nil): write = entry(.delete, key, options)
      }
      if let stored = try await stored([write], options, begun, Storage.Expected(current)) {
        return stored.first.flatMap(\.self)
      }
    }
  }

  /// True when two values are the same. False also where the codec cannot tell: a write finds out why.
  ///
  /// The values are compared within this process: a codec may write equal values differently in another one.
  func areSame(_ one: Value, _ other: Value) -> Bool {
    do {
      return try codec.areSame(one, other)
    } catch {
      return false
    }
  }

  /// The value of a record; `nil` for a record that has none.
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

  /// An entry without its value.
  func entry(_ kind: WriteKind, _ key: String, _ options: WriteOptions) -> StoredWrite {
    let now = store.now().wall
    var write = StoredWrite(
      collection: name, key: key, kind: kind.entryKind,
      idempotencyKey: StoredWrite.newIdempotencyKey(), writtenAt: now,
      contentType: options.contentType, codec: codec.identifier, contentVersion: contentVersion,
      dueAt: now, priority: Int64(options.priority), after: options.after)
    if case .patch(let bytes, let contentType) = kind {
      write.patch = bytes
      write.patchType = contentType
    }
    return write
  }

  /// Stores writes that began at a number (``Store/numberOfRequest()``), and returns their entries. Returns `nil` when
  /// the record is no longer the expected one.
  func stored(
    _ writes: [StoredWrite], _ options: WriteOptions, _ begun: Int64?,
    _ expected: Storage.Expected? = nil
  ) async throws(StoreError) -> [OutboxEntry?]? {
    guard !writes.isEmpty else { return [] }
    let now = store.now()
    try checkPredecessor(of: options)
    let locals = writes.map { local($0, options, expected) }
    let stored = try await store.queue.run { [store, name] () throws(StoreError) in
      try store.storage.write(locals, in: name, begun: begun, now: now)
    }
    guard let stored else { return nil }
    // A replaced write keeps its number.
    store.unread.forget(stored.entries.compactMap { $0?.id })
    return stored.entries.map { $0?.entry(at: now) }
  }

  /// An entry in the form to be stored.
  func local(
    _ write: StoredWrite, _ options: WriteOptions, _ expected: Storage.Expected? = nil
  ) -> Storage.LocalWrite {
    Storage.LocalWrite(
      write: write, address: options.address, tags: options.tags, expiry: policy.expiry,
      mediaType: codec.mediaType, coalesces: options.coalesces, expected: expected)
  }

  /// Refuses a predecessor that never existed. A smaller number that is not in the outbox belongs to a settled write.
  func checkPredecessor(of options: WriteOptions) throws(StoreError) {
    guard let after = options.after else { return }
    let last = try store.storage.lastWriteNumber()
    guard after > 0, after <= last else {
      throw error(.invalidArgument("there is no local write \(after) to come after"), .write, nil)
    }
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

/// The facts that a local write states beside its value.
public struct WriteOptions: Sendable, Hashable {
  /// True when the write may replace the previous one, so that the source receives both as one.
  ///
  /// This write must be a replacement or a deletion. The previous write must be a creation or a replacement for the
  /// same source that was never sent. The source does not receive a creation and its deletion at all, unless it is
  /// known to hold the object.
  ///
  /// The entry keeps its number and its place. A write that is based on another version than the present one never
  /// replaces the previous one.
  public var coalesces: Bool
  /// The labels by which the record can be marked stale; `nil` keeps the present ones.
  public var tags: Set<String>?
  /// The address to send the write to; `nil` keeps the record's address.
  public var address: String?
  /// The media type of the value; `nil` keeps the record's, or without one uses the codec's
  /// (``Codec/mediaType``).
  public var contentType: String?
  /// The priority of the write: writes of a higher priority are sent first. It is 0 by default.
  ///
  /// Among writes of one priority, the write that has been due for longest goes first. It is due since it was written
  /// or last tried, and after a failure since the end of its pause.
  public var priority: Int
  /// The number of a predecessor: a local write, of any key and any collection, before which this one is not sent.
  ///
  /// For example, a report is not sent before its photo. This write waits until the source has accepted the
  /// predecessor, or the predecessor was dropped. It also waits while the predecessor is parked. Where a merge has
  /// replaced the predecessor, it waits for the merge.
  ///
  /// A predecessor that is no longer in the outbox was settled, and is not waited for. A number that no local write has
  /// ever had is refused (`invalidArgument`).
  public var after: OutboxEntry.ID?

  /// Creates options; the defaults state nothing.
  public init(
    coalesces: Bool = false, tags: Set<String>? = nil, address: String? = nil,
    contentType: String? = nil, priority: Int = 0, after: OutboxEntry.ID? = nil
  ) {
    self.coalesces = coalesces
    self.tags = tags
    self.address = address
    self.contentType = contentType
    self.priority = priority
    self.after = after
  }
}
