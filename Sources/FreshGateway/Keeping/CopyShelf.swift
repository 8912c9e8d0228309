#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore
  internal import Strategies

  /// The copies of a gateway, which are records of its store.
  struct CopyShelf: Sendable {
    let collection: RecordCollection<StoredBody>
    let policy: GatewayPolicy
    /// Reads the bytes of copies that are too long for memory.
    let blocks: BlockReader
    /// Whether the store accepts writes.
    let keeping: KeepingHealth
    /// The same for long answers: a full disk may still have room for short ones.
    let keepingLong: KeepingHealth
    private let directory = CopyDirectory()
    private let heads = ReadHeads()

    init(
      _ store: Store, collection name: String, _ policy: GatewayPolicy,
      _ keeping: KeepingHealth = KeepingHealth(),
      ofLong keepingLong: KeepingHealth = KeepingHealth()
    ) throws(StoreError) {
      collection = try store.collection(name, codec: StoredBodyCodec())
      self.policy = policy
      (self.keeping, self.keepingLong) = (keeping, keepingLong)
      blocks = BlockReader(store)
    }

    /// The copies of an address, without bytes that are not in memory. Synchronous: from memory if nothing was
    /// committed since, else with a look at the file.
    ///
    /// - Parameter looksAgain: True before the origin is asked: remembered keys do not count.
    func copies(of key: CopyKey, looksAgain: Bool = false) throws(StoreError) -> [HeldCopy] {
      if let plain = try copy(key.base), CopyKey.isPlain(plain.answer, policy) { return [plain] }
      var copies: [HeldCopy] = []
      for key in try keys(of: key, looksAgain) {
        if let copy = try copy(key) { copies.append(copy) }
      }
      return copies
    }

    private func keys(of key: CopyKey, _ looksAgain: Bool) throws(StoreError) -> [String] {
      // Read before the keys: the next look sees later commits.
      let commit = collection.commit
      if !looksAgain, let commit, let keys = directory.keys(of: key.base, at: commit) {
        return keys
      }
      let keys = try collection.keys(beginningWith: key.prefix, limit: Self.greatestCount)
      if let commit { directory.set(keys, of: key.base, at: commit) }
      return keys
    }

    private func copy(_ key: String) throws(StoreError) -> HeldCopy? {
      try collection.keptHead(key).flatMap { HeldCopy($0, policy, heads) }
    }

    /// A copy with its bytes, read from the file if needed; `nil` when it is gone, replaced or damaged. Bytes in blocks
    /// stay in the file, and are read as they are sent.
    ///
    /// - Parameter renewed: The same copy after its renewal: that has the same bytes.
    func loaded(_ copy: HeldCopy, renewedAs renewed: StoredAnswer? = nil) -> HeldCopy? {
      guard copy.isReadAtOnce else {
        noteUse(of: copy)
        return copy
      }
      do throws(StoreError) {
        guard let record = try collection.kept(copy.record.key) else { return nil }
        guard copy.isSame(as: record) else {
          return renewed.map({ record.isOf($0) }) == true ? HeldCopy(record, policy) : nil
        }
        if let metadata = record.metadata {
          record.value?.take(copy.answer, readFrom: metadata, record.variant)
        }
        return HeldCopy(record, policy)
      } catch {
        return nil
      }
    }

    /// Notes that a copy answers, with or without its bytes.
    func noteUse(of copy: HeldCopy) { collection.noteUse(of: copy.record) }

    /// The copies with the bytes for a reply; `nil` when those are gone.
    func loaded(_ copies: [HeldCopy], for reply: Conclusion.Reply) -> [HeldCopy]? {
      guard let index = place(of: reply, among: copies) else { return copies }
      return loaded(copies[index]).map { Self.copies(copies, with: $0, at: index) }
    }

    /// As ``loaded(_:renewedAs:)``, but a long read runs outside of the event loop.
    func loadedAside(_ copy: HeldCopy, renewedAs renewed: StoredAnswer? = nil) async -> HeldCopy? {
      guard copy.isReadAtOnce, copy.isLong else { return loaded(copy, renewedAs: renewed) }
      return await Task { loaded(copy, renewedAs: renewed) }.value
    }

    /// As ``loaded(_:for:)``, but a long read runs outside of the event loop.
    func loadedAside(_ copies: [HeldCopy], for reply: Conclusion.Reply) async -> [HeldCopy]? {
      guard let index = place(of: reply, among: copies) else { return copies }
      return await loadedAside(copies[index]).map { Self.copies(copies, with: $0, at: index) }
    }

    /// The index of the copy whose bytes a reply needs.
    private func place(of reply: Conclusion.Reply, among copies: [HeldCopy]) -> Int? {
      guard case .copy(let plan, from: let index) = reply else { return nil }
      guard !plan.content.isOfCopy else { return index }
      noteUse(of: copies[index])
      return nil
    }

    private static func copies(
      _ copies: [HeldCopy], with copy: HeldCopy, at index: Int
    ) -> [HeldCopy] {
      var changed = copies
      changed[index] = copy
      return changed
    }

    /// Adds the changes for a new copy. It replaces the copy of its variant; a plain copy replaces all others, and any
    /// other copy replaces a plain one. Surplus copies are removed.
    func add(
      _ answer: StoredAnswer, _ content: ArrivedContent, _ address: HTTPAddress,
      among copies: [HeldCopy], to changes: inout CopyChanges<StoredBody>
    ) {
      let key = CopyKey(address.text)
      let own = key.key(of: answer, policy)
      let details = answer.details(origin: address.origin)
      switch content {
      case .bytes(let bytes):
        changes.additions.append(.init(own, .value(StoredBody(bytes)), details))
      case .blocks(let blocks):
        changes.additions.append(.init(own, .blocks(blocks), details))
      }
      var others = copies.filter { $0.record.key != own }
      let isPlain = own == key.base
      let replaced = others.filter { copy in
        isPlain || copy.record.key == key.base || copy.answer.selection == answer.selection
      }
      changes.removals += replaced.map(\.record)
      others.removeAll { copy in replaced.contains { $0.record.key == copy.record.key } }
      // Copies that came at the same time knew nothing of each other, and may be too many.
      let excess = others.count - (Self.greatestCount - 2)
      guard excess > 0 else { return }
      let oldest = others.sorted { VariantChoice.isOlder($0.candidate, $1.candidate) }
      changes.removals += oldest.prefix(excess).map(\.record)
    }

    /// Makes the changes that an answer demands. A copy that cannot be stored is only not kept.
    func update(
      _ changes: CopyChanges<StoredBody>, answering request: SourceRequest, _ key: CopyKey,
      at reading: ClockReading
    ) async throws(StoreError) {
      let (_, hasBoth) = try await collection.update(
        changes, answering: request, about: key.base, at: reading,
        besides: changes.additions.isEmpty ? nil : key.prefix)
      if hasBoth { await settle(key) }
    }

    /// Removes either a plain copy or all others, after answers that were in flight at the same time.
    ///
    /// The most recent one counts, as for a request that selects both (RFC 9111 section 4.1). But a part replaces no
    /// whole copy, and a server error replaces nothing.
    private func settle(_ key: CopyKey) async {
      do throws(StoreError) {
        guard let plain = try copy(key.base), CopyKey.isPlain(plain.answer, policy) else { return }
        var others: [HeldCopy] = []
        for key in try keys(of: key, true) {
          if let copy = try copy(key) { others.append(copy) }
        }
        guard !others.isEmpty else { return }
        let isOutdated = others.contains { other in
          !other.answer.isServerError
            && (other.answer.content.isWhole || other.answer.selection != .every)
            && !VariantChoice.isOlder(other.candidate, plain.candidate)
        }
        var changes = CopyChanges<StoredBody>()
        changes.removals = (isOutdated ? [plain] : others).map(\.record)
        try await make(changes, about: key.base)
      } catch {
        // The next stored answer of the address tries again.
      }
    }

    /// Makes changes that no answer of an origin demands.
    private func make(
      _ changes: CopyChanges<StoredBody>, about key: String
    ) async throws(StoreError) {
      let request = try await collection.request()
      do throws(StoreError) {
        try await collection.update(
          changes, answering: request, about: key, at: collection.store.now())
      } catch {
        await collection.end(request)
        throw error
      }
    }

    /// Removes a copy whose blocks cannot be read, even if it was renewed meanwhile; its replacement stays. False where
    /// there was none any more, as its time was over.
    func discard(_ record: KeptRecord<StoredBody>) async -> Bool {
      var changes = CopyChanges<StoredBody>()
      changes.damages = [record]
      do throws(StoreError) {
        let isThere = try collection.keptHead(record.key)?.blocks?.id == record.blocks?.id
        try await make(changes, about: record.key)
        return isThere
      } catch {
        // The next request for it tries again.
        return true
      }
    }

    /// The most variants of one address that are read: one more than are kept.
    static let greatestCount = 32

    /// The spill for content while it arrives.
    ///
    /// - Parameter failed: Called with the error when the file takes no more of it.
    func spill(
      _ room: StorageQuota, for request: SourceRequest?,
      failed: @escaping @Sendable (StoreError) -> Void = { _ in }
    ) -> ContentSpill {
      ContentSpill(
        writer: ContentWriter(collection.store, for: request, within: room.limit),
        reader: blocks, room: room, failed: failed)
    }

    /// The bytes of several extents in a row, each from one of two sources, for a new record. `nil` when neither has
    /// all of them, they cannot be read, or there is no room.
    ///
    /// - Parameter writers: Gets the writer of the bytes, to be given up once a record has them, or none does.
    func joined(
      _ extents: [Range<Int64>], from new: ContentBytes, _ old: ContentBytes,
      _ writers: inout ContentWriters
    ) async -> ArrivedContent? {
      let length = extents.reduce(0) { $0 + Int64($1.count) }
      guard let pieces = ContentBytes.pieces(of: extents, from: new, old) else { return nil }
      guard length > ContentSpill.threshold else {
        var joined = ByteBuffer()
        for piece in pieces {
          let isWhole = await visit(piece) { part in
            joined.writeImmutableBuffer(part)
            return true
          }
          guard isWhole else { return nil }
        }
        return .bytes(joined)
      }
      guard let writer = writers.next(length, in: collection.store) else { return nil }
      do throws(StoreError) {
        for piece in pieces {
          let isWhole = try await visit(piece) { (part) async throws(StoreError) -> Bool in
            try await writer.add(Array(part.readableBytesView)) != nil
          }
          guard isWhole else { return nil }
        }
        return try await writer.finish().map(ArrivedContent.blocks)
      } catch {
        noteFullFile(error)
        return nil
      }
    }

    /// Notes that the file takes no more of a long answer. A full disk says nothing about short answers.
    func noteFullFile(_ error: StoreError) {
      (error.code == .full ? keepingLong : keeping).note(error, at: collection.store.now())
    }

    /// All bytes of a copy, for another record.
    func copied(_ copy: HeldCopy, _ writers: inout ContentWriters) async -> ArrivedContent? {
      guard let content = await loadedAside(copy)?.content else { return nil }
      guard content.stored != nil else { return .bytes(content.bytes) }
      return await joined(content.content.extents, from: content, content, &writers)
    }

    /// Visits the bytes of a piece in portions that memory may hold; false when some are missing, or `body` returned
    /// false.
    private func visit<Failure: Error>(
      _ piece: ContentBytes.Piece, _ body: (ByteBuffer) async throws(Failure) -> Bool
    ) async throws(Failure) -> Bool {
      guard var slices = StoredSlices(.range(piece.range), of: piece.source, blocks) else {
        guard let bytes = piece.source.slice(piece.range) else { return false }
        return try await body(bytes)
      }
      while true {
        let next: ByteBuffer?
        do throws(StoredSlices.Shortage) {
          next = try await slices.next()
        } catch {
          return false
        }
        guard let part = next else { return true }
        guard try await body(part) else { return false }
      }
    }
  }
#endif
