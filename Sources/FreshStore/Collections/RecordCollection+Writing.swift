internal import Rules
internal import Strategies
internal import Synchronization

extension RecordCollection {
  /// Stores a value ahead of any fetch: a running fetch for the key stores nothing over it.
  ///
  /// A schema's steps run first: they normalise the value that is checked and stored. Details left
  /// `nil` fall back to the collection's policy; the last update is now. Tags and pin of an older
  /// record are kept unless they are given.
  ///
  /// - Parameters:
  ///   - isPinned: True keeps the record from ever being pruned; `nil` leaves its pin as it is.
  ///   - durability: The loss that a power cut may cause; ``Durability/normal`` is for a copy
  ///     that its source still has.
  /// - Throws: `refused` when the value breaks its rules. `valueTooLarge`, `notEncodable` or `invalidKey`.
  ///   `pendingWrite` when the record has a local write. `wiped` when this store was wiped since the put began.
  ///   Otherwise the error of the file. The older record then stays.
  public func put(
    _ value: Value, for key: String, details: FetchDetails = FetchDetails(),
    isPinned: Bool? = nil, durability: Durability = .full
  ) async throws(StoreError) {
    try await put([key: value], details: details, isPinned: isPinned, durability)
  }

  /// Stores many values in one transaction: all of them, or none. An error names the key of the value that caused it.
  public func put(
    _ values: [String: Value], details: FetchDetails = FetchDetails(),
    durability: Durability = .full
  ) async throws(StoreError) {
    try await put(values, details: details, isPinned: nil, durability)
  }

  private func put(
    _ values: [String: Value], details: FetchDetails, isPinned: Bool?, _ durability: Durability
  ) async throws(StoreError) {
    let order = PutOrder(
      details: details, isPinned: isPinned, durability: durability,
      wipes: store.storage.wipes.load(ordering: .acquiring), at: store.now())
    for key in values.keys { try check(key, .put) }
    // A mark may be set while a rule takes its time.
    let question = awaitsRules ? try await ask(at: order.time) : nil
    do throws(StoreError) {
      var admitted: [(key: String, value: Value)] = []
      admitted.reserveCapacity(values.count)
      // Adjacent rows are faster to write one after the other.
      var keys = Array(values.keys)
      keys.sort()
      for key in keys {
        guard let value = values[key] else { continue }
        let isAwaited = question != nil
        admitted.append(
          (key, isAwaited ? try await self.admitted(value, for: key) : try shaped(value, for: key)))
      }
      try await put(admitted, order, answering: question)
    } catch {
      if let question { await withdraw(question) }
      throw error
    }
  }

  /// The options and the time of a put: a put is as old as its call.
  struct PutOrder: Sendable {
    var details: FetchDetails
    var isPinned: Bool?
    var durability = Durability.full
    /// The count of wipes when the put began; only a put without a question needs it.
    let wipes: Int
    let time: ClockReading

    init(
      details: FetchDetails, isPinned: Bool? = nil, durability: Durability = .full, wipes: Int,
      at time: ClockReading
    ) {
      (self.details, self.isPinned) = (details, isPinned)
      (self.durability, self.wipes, self.time) = (durability, wipes, time)
    }
  }

  /// Stores values that passed the rules; with a question, as its answer.
  func put(
    _ admitted: [(key: String, value: Value)], _ order: PutOrder,
    answering question: Storage.Question? = nil
  ) async throws(StoreError) {
    let (details, now) = (order.details, order.time)
    let stated = content("", details, expiry: details.expiry(orOfPolicy: policy.expiry))
    var writes: [Storage.Write] = []
    writes.reserveCapacity(admitted.count)
    for (key, value) in admitted {
      var content = stated
      content.key = key
      content.lastUpdate = content.lastUpdate ?? now.wall
      content.value = try encoded(value, key, .put)
      writes.append(
        Storage.Write(content: content, tags: details.tags, isPinned: order.isPinned))
    }
    var pending: String?
    if let question {
      let landed = try await store.queue.run { [store, writes] () throws(StoreError) in
        try store.storage.land(writes, answering: question, order.durability, now: now)
      }
      guard let landed else { throw error(.superseded, .put, admitted.first?.key) }
      pending = landed.pending
    } else {
      let put = PutQueue.Put(
        writes: writes, durability: order.durability, now: now, wipes: order.wipes)
      switch try await store.puts.store(put) {
      case .stored: break
      case .pending(let key): pending = key
      case .wiped: throw error(.wiped, .put, admitted.first?.key)
      }
    }
    if let pending { throw error(.pendingWrite, .put, pending) }
    // This is computed at the first key that is being fetched; mostly there is none.
    lazy var named = Set(names: admitted.map(\.key))
    store.closeFlights(name) { named.contains($0) }
  }

  func ask(at now: ClockReading) async throws(StoreError) -> Storage.Question {
    try await ask(at: now, begun: store.numberOfRequest())
  }

  func ask(
    at now: ClockReading, begun: Int64?
  ) async throws(StoreError) -> Storage.Question {
    try await store.queue.run { [store] () throws(StoreError) in
      try store.storage.ask(begun: begun, now: now)
    }
  }

  func withdraw(_ question: Storage.Question) async { await store.withdraw(question) }

  /// Removes records; a running fetch for them stores nothing.
  ///
  /// In a fleet only this host's copies are removed, and the next get may find the copies of other hosts. A mark has
  /// all hosts ask again.
  ///
  /// - Parameter durability: With ``Durability/full`` no power cut brings a record back; pass
  ///   ``Durability/normal`` for copies that may come back.
  /// - Returns: The keys that existed and are removed.
  /// - Throws: `pendingWrite` when one of them has a local write; none is removed then. ``writeDeletion(of:options:)``
  ///   or ``Store/drop(_:)`` ends such a write.
  @discardableResult
  public func remove(
    _ keys: [String], durability: Durability = .full
  ) async throws(StoreError) -> [String] {
    for key in keys { try check(key, .remove) }
    let (removed, pending) = try await store.queue.run { [store, name] () throws(StoreError) in
      try store.storage.remove(
        name, keys, durability, now: store.now())
    }
    if let pending { throw error(.pendingWrite, .remove, pending) }
    let named = Set(names: keys)
    store.closeFlights(name) { named.contains($0) }
    return removed
  }

  /// Removes one record; false when there was none.
  @discardableResult
  public func remove(
    _ key: String, durability: Durability = .full
  ) async throws(StoreError) -> Bool {
    try await !remove([key], durability: durability).isEmpty
  }

  /// Removes every record of the collection except records with a pending write, in bounded transactions. Returns the
  /// number of removed records. Records put meanwhile stay.
  @discardableResult
  public func removeAll() async throws(StoreError) -> Int {
    let number = try await store.queue.run { [store, name] () throws(StoreError) in
      try store.storage.beginRemovingAll(name, now: store.now())
    }
    let limit = 500
    var total = 0
    while true {
      let removed = try await store.queue.run { [store, name] () throws(StoreError) in
        try store.storage.removeAll(name, before: number, limit: limit)
      }
      total += removed
      if removed < limit { break }
    }
    store.closeFlights(name)
    return total
  }

  /// Pins a record, so that it is never pruned, or unpins it; false when there is none.
  @discardableResult
  public func setPinned(_ isPinned: Bool, for key: String) async throws(StoreError) -> Bool {
    try check(key, .pin)
    return try await store.queue.run { [store, name] () throws(StoreError) in
      try store.storage.setPinned(name, key, isPinned)
    }
  }

  // MARK: Marks

  /// Marks one record stale; the result of a running fetch is stale, too.
  ///
  /// The mark is durable when this returns, and visible to every process at its next read. In a fleet it applies as
  /// ``Store/markStale(tag:reason:)`` says.
  ///
  /// - Returns: False when there is neither such a record nor a running fetch for it. In a fleet always true, because
  ///   another host may have the record.
  @discardableResult
  public func markStale(
    _ key: String, reason: String = "marked by key"
  ) async throws(StoreError) -> Bool {
    try check(key, .markStale)
    return try await store.mark(
      .key(name, key), reason: reason, collection: name, key: key
    ) { $0.hasSameBytes(as: key) }
  }

  /// Marks many records stale, as ``markStale(_:reason:)-(String,_)`` does: 1,000 in one transaction, and in a fleet in
  /// one round trip.
  ///
  /// - Returns: The number of them that exist or are being fetched. In a fleet all keys count, because another host may
  ///   have their records.
  @discardableResult
  public func markStale(
    _ keys: some Sequence<String>, reason: String = "marked by key"
  ) async throws(StoreError) -> Int {
    var names: Set<ExactName> = []
    for key in keys {
      try check(key, .markStale)
      names.insert(ExactName(key))
    }
    return try await store.mark(names, of: name, reason: reason)
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
    _ value: Value, _ key: String, _ operation: StoreOperation
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

  /// The content of a record of this collection with these details.
  func content(_ key: String, _ details: FetchDetails, expiry: Expiry) -> RecordContent {
    var content = RecordContent(collection: name, key: key, expiry: expiry)
    content.lastUpdate = details.lastUpdate
    content.mustRevalidate = details.mustRevalidate
    content.codec = codec.identifier
    content.contentVersion = contentVersion
    content.details = RecordDetails(details)
    return content
  }
}

extension RecordContent {
  /// Keeps the known source where a fetch or a push states none. A push has shown the address that it was sent to.
  mutating func keepSource(
    of details: FetchDetails, over known: RecordContent?, sentTo sent: String? = nil
  ) {
    guard details.source == nil, details.address == nil else { return }
    (source, address) = (known?.source, known?.address)
    if let sent, !Optional(sent).hasSameBytes(as: known?.addressToAsk) { setAddress(sent) }
  }
}

extension RecordDetails {
  fileprivate init(_ details: FetchDetails) {
    self.init()
    hardEnd = details.hardEnd
    graceWhileRevalidating = details.graceWhileRevalidating
    graceOnError = details.graceOnError
    validators = details.validators
    source = details.source
    address = details.address
    contentType = details.contentType
    variant = details.variant
    metadata = details.metadata
  }
}

extension Store {
  /// Ends a request without an answer.
  func withdraw(_ question: Storage.Question) async {
    do throws(StoreError) {
      try await queue.run { [storage] () throws(StoreError) in try storage.withdraw(question) }
    } catch {
      // The request ends by itself later; until then unneeded marks are kept.
      report(.notStored(error))
    }
  }
}
