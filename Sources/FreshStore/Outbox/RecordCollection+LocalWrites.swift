internal import Strategies

extension RecordCollection {
  /// Writes a value locally at once; its source is told later, by a `Synchronizer` (module
  /// `FreshSync`).
  ///
  /// The value and its outbox entry are stored in one transaction that survives a power cut. From
  /// then on the record is served as written, and no fetch, put, sweep or prune changes it, until
  /// its source has answered every local write. The writes of a key are pushed in order.
  ///
  /// The write is based on what is stored at its time, whatever the value was made from: a form that was
  /// opened earlier states that (``write(_:for:as:basedOn:options:)``), and a change of the present value is
  /// an ``update(_:options:_:)``.
  ///
  /// - Parameter kind: The requested operation; `delete` is ``writeDeletion(of:options:)``.
  /// - Returns: The entry.
  /// - Throws: `refused` when the value breaks its rules; `valueTooLarge`, `notEncodable`,
  ///   `invalidKey`, `invalidArgument`; `wiped` when the store was wiped since the call; or the error of the
  ///   file. Nothing is written then.
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

  /// A value as its rules leave it, if a write of that kind may have it.
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

  /// Deletes an object locally at once; its source is told later. As ``write(_:for:as:options:)``.
  ///
  /// - Returns: The entry; `nil` when it and the creation before it, which was never sent,
  ///   cancelled out (``WriteOptions/coalesces``).
  @discardableResult
  public func writeDeletion(
    of key: String, options: WriteOptions = WriteOptions()
  ) async throws(StoreError) -> OutboxEntry? {
    try check(key, .write)
    let begun = store.numberOfRequest()
    return try await stored([entry(.delete, key, options)], options, begun)?.first.flatMap(\.self)
  }

  /// Changes an object locally, from its present value: nothing that is stored meanwhile, by this process
  /// or another, is overwritten unseen. As ``write(_:for:as:options:)``.
  ///
  /// ```swift
  /// try await sites.update("7") { $0?.visits += 1 }
  /// ```
  ///
  /// - Parameter change: Changes the present value, whether it is fresh or not; `nil` where there is none. A
  ///   value in place of `nil` creates the object, `nil` in place of a value deletes it, and one that is the
  ///   same afterwards (``Codec/areSame(_:_:)``) writes nothing. It is called again when the object has
  ///   changed meanwhile.
  /// - Returns: The entry; `nil` when nothing was written, or a deletion and its creation cancelled out.
  /// - Throws: As a write; `unreadable` when there is a value that cannot be read.
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

  /// False, too, where the codec cannot tell: a write finds out why. Compared within this process: a codec may
  /// write equal values differently in another.
  func areSame(_ one: Value, _ other: Value) -> Bool {
    do {
      return try codec.areSame(one, other)
    } catch {
      return false
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

  /// The entries of the writes, which began at a number (``Store/numberOfRequest()``); `nil` when the
  /// record is not the expected one any more.
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
    // One that was replaced keeps its number.
    store.unread.forget(stored.entries.compactMap { $0?.id })
    return stored.entries.map { $0?.entry(at: now) }
  }

  /// An entry as it is stored.
  func local(
    _ write: StoredWrite, _ options: WriteOptions, _ expected: Storage.Expected? = nil
  ) -> Storage.LocalWrite {
    Storage.LocalWrite(
      write: write, address: options.address, tags: options.tags, expiry: policy.expiry,
      mediaType: codec.mediaType, coalesces: options.coalesces, expected: expected)
  }

  /// A smaller number that is not in the outbox is that of a write which was settled.
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
  /// True when the write, a replacement or a deletion, may replace the previous one, if that one is
  /// a creation or a replacement for the same source and was never sent: the source then receives
  /// both as one, and a creation with its deletion not at all, unless it is known to hold the
  /// object. The entry keeps its number and its place. A write that is based on another version than
  /// the present one never does.
  public var coalesces: Bool
  /// Labels by which the record can be marked stale; `nil` keeps those it has.
  public var tags: Set<String>?
  /// The address to send the write to; `nil` keeps the record's address.
  public var address: String?
  /// The media type of the value; `nil` keeps the record's, or without one uses the codec's
  /// (``Codec/mediaType``).
  public var contentType: String?
  /// Those of a higher priority are sent first; 0 by default. Among writes of one priority the one that is due
  /// for longest goes first: since it was written or last tried, and after a failure since the end of its pause.
  public var priority: Int
  /// The number of a local write, of any key and any collection, before which this one is not sent, such
  /// as a report before its photo: it waits until the source has accepted that one, or it was dropped. While
  /// that one is parked, it waits. Where a merge has taken that one's place, it waits for the merge.
  /// One that is not in the outbox any more was settled, and is not waited for; a number that no local write
  /// has ever had is refused (`invalidArgument`).
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
