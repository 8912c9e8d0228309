internal import Rules
internal import Strategies

extension RecordCollection {
  /// Stores a value ahead of any fetch: one that is under way for the key stores nothing over it.
  ///
  /// A schema's steps are taken first: they bring the value into the shape that is checked and
  /// stored. What the details leave open falls to the collection's policy; the last update is now.
  /// Tags and pin of an older record are kept unless they are given.
  ///
  /// - Parameters:
  ///   - isPinned: True keeps the record from ever being pruned; `nil` leaves it as it is.
  ///   - survivesPowerLoss: True, and what was stored outlives a power cut (`synchronous=FULL`);
  ///     pass false for a copy that its source still has.
  /// - Throws: `refused` when the value breaks its rules; `valueTooLarge`, `notEncodable`,
  ///   `invalidKey`; `pendingWrite` when the record has a local write; or what the file answered.
  ///   The older record then stands.
  public func put(
    _ value: Value, for key: String, details: FetchDetails = FetchDetails(),
    isPinned: Bool? = nil, survivesPowerLoss: Bool = true
  ) async throws(StoreError) {
    try await put([key: value], details: details, isPinned: isPinned, survivesPowerLoss)
  }

  /// Stores many values in one transaction: all of them, or none. The key of an error is that of
  /// the value that was in the way.
  public func put(
    _ values: [String: Value], details: FetchDetails = FetchDetails(),
    survivesPowerLoss: Bool = true
  ) async throws(StoreError) {
    try await put(values, details: details, isPinned: nil, survivesPowerLoss)
  }

  private func put(
    _ values: [String: Value], details: FetchDetails, isPinned: Bool?, _ survivesPowerLoss: Bool
  ) async throws(StoreError) {
    // What is put is as old as the call: a rule may take its time.
    let now = store.now()
    for key in values.keys { try check(key, .put) }
    var admitted: [(key: String, value: Value)] = []
    admitted.reserveCapacity(values.count)
    // Rows that lie beside one another are quicker to write one after the other.
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      admitted.append((key, try await self.admitted(value, for: key)))
    }
    let stated = content(
      "", details, expiry: details.expiry(orOfPolicy: policy.expiry), toldAt: now)
    var writes: [Storage.Write] = []
    writes.reserveCapacity(admitted.count)
    for (key, value) in admitted {
      var content = stated
      content.key = key
      content.lastUpdate = content.lastUpdate ?? now.wall
      content.value = try encoded(value, key, .put)
      writes.append(Storage.Write(content: content, tags: details.tags, isPinned: isPinned))
    }
    let durability: Database.Durability = survivesPowerLoss ? .full : .normal
    let pending = try await store.puts.store(
      PutQueue.Put(writes: writes, durability: durability, now: now))
    if let pending { throw error(.pendingWrite, .put, pending) }
    let named = Set(names: values.keys)
    store.closeFlights(name) { named.contains($0) }
    for key in values.keys { publish(.stored, key) }
  }

  /// Removes records; a fetch under way for them stores nothing.
  ///
  /// - Parameter survivesPowerLoss: True, and no power cut brings a record back; pass false for copies
  ///   that may come back.
  /// - Returns: The keys that were there and are removed.
  /// - Throws: `pendingWrite` when one of them has a local write, which ``writeDeletion(of:options:)``
  ///   or ``Store/drop(_:)`` would end; none is removed then.
  @discardableResult
  public func remove(
    _ keys: [String], survivesPowerLoss: Bool = true
  ) async throws(StoreError) -> [String] {
    for key in keys { try check(key, .remove) }
    let (removed, pending) = try await store.queue.run { [store, name] () throws(StoreError) in
      try store.storage.remove(
        name, keys, survivesPowerLoss ? .full : .normal, now: store.now())
    }
    if let pending { throw error(.pendingWrite, .remove, pending) }
    let named = Set(names: keys)
    store.closeFlights(name) { named.contains($0) }
    for key in removed { publish(.removed, key) }
    return removed
  }

  /// Removes one record; false when there was none.
  @discardableResult
  public func remove(
    _ key: String, survivesPowerLoss: Bool = true
  ) async throws(StoreError) -> Bool {
    try await !remove([key], survivesPowerLoss: survivesPowerLoss).isEmpty
  }

  /// Removes every record of the collection but those with a pending write, in bounded
  /// transactions; the number removed.
  @discardableResult
  public func removeAll() async throws(StoreError) -> Int {
    var total = 0
    while true {
      let removed = try await store.queue.run { [store, name] () throws(StoreError) in
        try store.storage.removeAll(name, limit: 500, now: store.now())
      }
      total += removed
      if removed == 0 { break }
    }
    store.closeFlights(name)
    if total > 0 { store.hub.publish(Change(kind: .removed, collection: name, key: nil)) }
    return total
  }

  /// Pins a record, so that it is never pruned, or lets it go; false when there is none.
  @discardableResult
  public func setPinned(_ isPinned: Bool, for key: String) async throws(StoreError) -> Bool {
    try check(key, .pin)
    return try await store.queue.run { [store, name] () throws(StoreError) in
      try store.storage.setPinned(name, key, isPinned)
    }
  }

  // MARK: Marks

  /// Marks one record stale; what a fetch under way brings is stale, too. Durable when it returns,
  /// seen by every process at its next read.
  ///
  /// - Returns: False when there is neither such a record nor a fetch under way for it.
  @discardableResult
  public func markStale(
    _ key: String, reason: String = "marked by key"
  ) async throws(StoreError) -> Bool {
    try check(key, .markStale)
    return try await store.mark(
      .key(name, key), reason: reason, collection: name, key: key
    ) { $0.hasSameBytes(as: key) }
  }

  /// Marks every record whose key begins with `prefix` stale, at the same cost however many there
  /// are. Bytes are compared, not characters.
  public func markStale(
    prefix: String, reason: String = "marked by prefix"
  ) async throws(StoreError) {
    guard (1...1024).contains(prefix.utf8.count) else {
      throw error(.invalidKey, .markStale, prefix)
    }
    try await store.mark(.prefix(name, prefix), reason: reason, collection: name) { key in
      key.utf8.starts(with: prefix.utf8)
    }
  }

  /// Marks every record of the collection stale, at the same cost however many there are.
  public func markAllStale(reason: String = "marked by collection") async throws(StoreError) {
    try await store.markStale(collection: name, reason: reason)
  }

  // MARK: Inside

  func encoded(
    _ value: Value, _ key: String, _ operation: Operation
  ) throws(StoreError) -> [UInt8] {
    let bytes: [UInt8]
    do {
      bytes = try codec.encode(value)
    } catch let failure {
      throw error(.notEncodable("\(failure)"), operation, key)
    }
    let limit = store.configuration.valueLimit
    guard bytes.count <= limit else {
      throw error(.valueTooLarge(bytes: bytes.count, limit: limit), operation, key)
    }
    return bytes
  }

  /// What the details, which came at `toldAt`, say of a record of this collection.
  func content(
    _ key: String, _ details: FetchDetails, expiry: Expiry, toldAt: ClockReading
  ) -> RecordContent {
    var content = RecordContent(collection: name, key: key, expiry: expiry)
    content.lastUpdate = details.lastUpdate
    content.statedAt = details.lastUpdate == nil ? nil : toldAt
    content.hardEnd = details.hardEnd
    content.graceWhileRevalidating = details.graceWhileRevalidating
    content.graceOnError = details.graceOnError
    content.mustRevalidate = details.mustRevalidate
    content.validators = details.validators
    content.source = details.source
    content.contentType = details.contentType
    content.codec = codec.identifier
    content.contentVersion = contentVersion
    content.variant = details.variant
    content.metadata = details.metadata
    return content
  }

  private func publish(_ kind: Change.Kind, _ key: String) {
    store.hub.publish(Change(kind: kind, collection: name, key: key))
  }
}
