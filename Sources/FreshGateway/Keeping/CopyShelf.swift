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
    /// Whether the store takes what is to be kept.
    let keeping: KeepingHealth
    /// The same of long answers, for which a disk may have no room that has some for short ones.
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

    /// The copies of an address, without the bytes of those that memory does not have. Synchronous; from memory
    /// where they are there and nothing was committed since, else by a look at the file.
    ///
    /// - Parameter looksAgain: True before the origin is asked: nothing that is remembered counts.
    func copies(of key: CopyKey, looksAgain: Bool = false) throws(StoreError) -> [HeldCopy] {
      if let plain = try copy(key.base), CopyKey.isPlain(plain.answer, policy) { return [plain] }
      var copies: [HeldCopy] = []
      for key in try keys(of: key, looksAgain) {
        if let copy = try copy(key) { copies.append(copy) }
      }
      return copies
    }

    private func keys(of key: CopyKey, _ looksAgain: Bool) throws(StoreError) -> [String] {
      // Before the look: what is committed meanwhile is seen by the next one.
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

    /// A copy with its bytes, read from the file where it has none yet; `nil` when it is gone, another one by now,
    /// or damaged. Those that lie in blocks stay there, and are read when they are sent.
    ///
    /// - Parameter renewed: What the origin has made of it by now: that has the same bytes.
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

    /// Notes that a copy answers, whether or not with its bytes.
    func noteUse(of copy: HeldCopy) { collection.noteUse(of: copy.record) }

    /// The copies with the bytes that a reply is made of; `nil` when those are gone.
    func loaded(_ copies: [HeldCopy], for reply: Conclusion.Reply) -> [HeldCopy]? {
      guard let index = place(of: reply, among: copies) else { return copies }
      return loaded(copies[index]).map { Self.copies(copies, with: $0, at: index) }
    }

    /// As ``loaded(_:renewedAs:)``, for a task on a loop that others wait for: beside it where much is read at once.
    func loadedAside(_ copy: HeldCopy, renewedAs renewed: StoredAnswer? = nil) async -> HeldCopy? {
      guard copy.isReadAtOnce, copy.isLong else { return loaded(copy, renewedAs: renewed) }
      return await Task { loaded(copy, renewedAs: renewed) }.value
    }

    /// The same as ``loaded(_:for:)``.
    func loadedAside(_ copies: [HeldCopy], for reply: Conclusion.Reply) async -> [HeldCopy]? {
      guard let index = place(of: reply, among: copies) else { return copies }
      return await loadedAside(copies[index]).map { Self.copies(copies, with: $0, at: index) }
    }

    /// The place of the copy whose bytes a reply is made of.
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

    /// What becomes of the copies when a new one is stored: it takes the place of that of its variant, a plain
    /// one that of all, any other that of a plain one; and those too many go.
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
      // Those that have come all at once knew nothing of each other, and may be more than there may be.
      let excess = others.count - (Self.greatestCount - 2)
      guard excess > 0 else { return }
      let oldest = others.sorted { VariantChoice.isOlder($0.candidate, $1.candidate) }
      changes.removals += oldest.prefix(excess).map(\.record)
    }

    /// Makes the changes that an answer demands; what cannot be stored is only not kept.
    func update(
      _ changes: CopyChanges<StoredBody>, answering request: SourceRequest, _ key: CopyKey,
      at reading: ClockReading
    ) async throws(StoreError) {
      let (_, hasBoth) = try await collection.update(
        changes, answering: request, about: key.base, at: reading,
        besides: changes.additions.isEmpty ? nil : key.prefix)
      if hasBoth { await settle(key) }
    }

    /// Has a plain copy lie alone, or not at all: what was on its way at the same time knew nothing of it. The most
    /// recent counts, as for a request that selects both (RFC 9111 section 4.1); but a part takes the place of nothing
    /// that is whole, and an error of the server of nothing at all.
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
        // The next answer that is stored there tries again.
      }
    }

    /// Changes that no answer of an origin demands.
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

    /// Removes a copy whose blocks cannot be read, renewed meanwhile or not; one that has taken its place stays. False
    /// where there was none any more: its time was over.
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

    /// The most variants of one address that are looked at: one more than are kept.
    static let greatestCount = 32
  }

  extension CopyShelf {
    /// Where content goes while it arrives.
    ///
    /// - Parameter failed: Hears why the file does not take any more of it.
    func spill(
      _ room: StorageBudget, for request: SourceRequest?,
      failed: @escaping @Sendable (StoreError) -> Void = { _ in }
    ) -> ContentSpill {
      ContentSpill(
        writer: ContentWriter(collection.store, for: request, within: room.limit),
        reader: blocks, room: room, failed: failed)
    }

    /// The bytes of several extents in a row, each from whichever of two has it, for a record of their own; `nil` when
    /// neither has all, they cannot be read, or there is no room for them.
    ///
    /// - Parameter writers: Gets the one that has written them, whose content is to be given up once a record has it, or
    ///   none does.
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

    /// Notes that the file has taken no more of a long answer: of a full disk that says nothing about short ones.
    func noteFullFile(_ error: StoreError) {
      (error.code == .full ? keepingLong : keeping).note(error, at: collection.store.now())
    }

    /// All bytes of a copy, for a further record.
    func copied(_ copy: HeldCopy, _ writers: inout ContentWriters) async -> ArrivedContent? {
      guard let content = await loadedAside(copy)?.content else { return nil }
      guard content.stored != nil else { return .bytes(content.bytes) }
      return await joined(content.content.extents, from: content, content, &writers)
    }

    /// Visits the bytes of a piece, as much at once as memory is to have; false when some are missing, or `body`
    /// returned false.
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
