#if Gateway
  internal import FreshStore
  internal import NIOCore

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
