internal import Strategies

/// The changes that one answer of a source makes in several records: the copies of one address.
package struct CopyChanges<Value: Sendable>: Sendable {
  /// A value to be stored.
  package struct Addition: Sendable {
    package enum Content: Sendable {
      case value(Value)
      /// A value that a ``ContentWriter`` has written, in the bytes that the collection's codec reads. It is not stored
      /// if it is gone by then.
      case blocks(ContentReference)
    }

    package let key: String
    package let content: Content
    package let details: FetchDetails

    package init(_ key: String, _ content: Content, _ details: FetchDetails) {
      (self.key, self.content, self.details) = (key, content, details)
    }

    package init(_ key: String, _ value: Value, _ details: FetchDetails) {
      self.init(key, .value(value), details)
    }
  }

  /// The values to be stored.
  package var additions: [Addition] = []
  /// The records that get new stamps and details; a record that holds another answer by now stays as it is.
  package var renewals: [(record: KeptRecord<Value>, details: FetchDetails)] = []
  /// The records that are removed, unless they hold other answers by now.
  package var removals: [KeptRecord<Value>] = []
  /// The records whose blocks cannot be read. They are removed, unless they have other blocks by now.
  package var damages: [KeptRecord<Value>] = []
  /// The keys that are marked stale, with the reasons.
  package var marks: [(key: String, reason: String)] = []

  /// No changes.
  package init() {}

  package var isEmpty: Bool {
    additions.isEmpty && renewals.isEmpty && removals.isEmpty && damages.isEmpty && marks.isEmpty
  }

  /// The records that the changes store, with their identity from then on.
  fileprivate var stored: [Storage.CopyUpdate.Known] {
    let details =
      additions.map { ($0.key, $0.details) } + renewals.map { ($0.record.key, $0.details) }
    return details.map { key, details in
      Storage.CopyUpdate.Known(key: key, variant: details.variant, metadata: details.metadata)
    }
  }
}

extension RecordCollection {
  /// Ends a request, and makes the changes that its answer demands, in one transaction.
  ///
  /// The stored records are as old as the request. A mark that was set since covers them. A mark of the key that the
  /// request was about covers them, too, even if they are stored under other keys. They never replace the answer to a
  /// later request, nor a local write.
  ///
  /// A loss of power may undo the changes, because the source has the answer, too. A record without an address to ask
  /// never waits in the refetch queue: the caller asks again when a client wants it.
  ///
  /// - Parameter reading: The clock by which the details state their last update.
  /// - Returns: False when a put, a removal or a wipe came in between, and nothing was changed.
  @discardableResult
  package func update(
    _ changes: CopyChanges<Value>, answering request: SourceRequest, about key: String,
    at reading: ClockReading
  ) async throws(StoreError) -> Bool {
    try await update(changes, answering: request, about: key, at: reading, besides: nil).isDone
  }

  /// Makes the changes, and tells whether there is then a record under the key and another under a key with the prefix.
  ///
  /// This costs less than a separate look-up.
  package func update(
    _ changes: CopyChanges<Value>, answering request: SourceRequest, about key: String,
    at reading: ClockReading, besides prefix: String?
  ) async throws(StoreError) -> (isDone: Bool, hasBoth: Bool) {
    var update = Storage.CopyUpdate(key: key)
    for addition in changes.additions {
      try check(addition.key, .complete)
      var write = write(addition.key, addition.details, at: reading)
      switch addition.content {
      case .value(let value): write.content.value = try encoded(value, addition.key, .complete)
      case .blocks(let blocks): write.content.place(in: blocks)
      }
      update.writes.append(write)
    }
    for (record, details) in changes.renewals {
      update.renewals.append((record.known, write(record.key, details, at: reading)))
    }
    update.removals = changes.removals.map(\.known) + changes.damages.map(\.knownByBlocks)
    update.marks = changes.marks
    // Only a fleet needs to know them.
    let stored = store.fleet == nil ? [] : changes.stored
    let isRemoved =
      changes.removals.contains { $0.key.hasSameBytes(as: key) }
      && !stored.contains { $0.key.hasSameBytes(as: key) }
    if isRemoved { await takeBack(key, under: request.part) }
    let (now, open) = (store.now(), request.open)
    let (isDone, hasBoth) = try await store.requestCommits.run(
      as: .complete, touching: AffectedKeys(name, update.keys), size: update.size
    ) { [store, name, update] (connection) throws(SQLiteError) -> (isDone: Bool, hasBoth: Bool) in
      let storage = store.storage
      guard try storage.update(name, update, answering: open, now: now, connection) else {
        return (false, false)
      }
      guard let prefix else { return (true, false) }
      return (true, try storage.hasBoth(of: name, key, beginningWith: prefix, connection))
    }
    if !isRemoved { handOn(request, storing: isDone ? stored : []) }
    return (isDone, hasBoth)
  }

  private func write(
    _ key: String, _ details: FetchDetails, at reading: ClockReading
  ) -> Storage.Write {
    var content = content(key, details, expiry: details.expiry(orOfPolicy: policy.expiry))
    if content.addressToAsk == nil { content.isOnDemand = true }
    return Storage.Write(content: content, tags: details.tags, statedAt: reading)
  }
}
