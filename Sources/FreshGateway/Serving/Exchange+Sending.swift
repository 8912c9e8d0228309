#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore
  internal import Strategies

  /// Sends the answer that was decided on.
  extension Exchange {
    func send(_ head: Flight.Head, _ served: Served) async throws -> Ending {
      var ending = try await send(
        head.conclusion.reply, head.copies, head.body, served, as: head.reader)
      switch head.outcome {
      case .answered(let answer): ending.origin.time = answer.time
      case .failed(let failure): ending.origin.error = failure.cause
      }
      return ending
    }

    func send(
      _ reply: Conclusion.Reply, _ copies: [HeldCopy], _ body: SharedBody?, _ served: Served,
      as reader: Int? = nil
    ) async throws -> Ending {
      switch reply {
      case .copy(let plan, from: let index):
        return try await send(plan, copies[index].content, served)
      case .own(let plan): return try await send(plan, nil, .own)
      case .origin(let status, var fields, let sendsContent):
        if core.servesAnyOrigin {
          fields = SentOnFields.withVia(fields, version: .http11, by: core.policy.name)
        }
        guard sendsContent, let body else { return try await sendHead(status, fields, served) }
        guard let reader = reader ?? body.join(for: asker) else { throw CancellationError() }
        defer { body.leave(reader) }
        return try await stream(status, fields, body, reader, served)
      case .ask: throw CancellationError()
      }
    }

    func send(
      _ plan: AnswerPlan, _ content: ContentBytes?, _ served: Served
    ) async throws -> Ending {
      let plan = served == .own ? plan : core.passed(plan)
      if let content, let stored = content.stored, plan.content.isOfCopy {
        guard let slices = StoredSlices(plan.content, of: content, core.shelf.blocks) else {
          return Ending(isBroken: true)
        }
        let ending = try await send(plan, slices, served)
        if ending.isDamaged, let record = stored.record {
          if await core.shelf.discard(record) { core.figures.noteStored(false) }
        }
        return ending
      }
      var ending = Ending(status: plan.status, served: served, decision: plan.fields.decision)
      do {
        ending.length = try await client.write(.whole(plan, content))
      } catch let gone as ClientChannel.Gone where gone.taken.isBegun {
        ending.length = gone.taken.content
        (ending.isBroken, ending.hasLeft) = (true, true)
      }
      return ending
    }

    /// Sends a copy from the file one block at a time, each when the client has taken the one before.
    func send(
      _ plan: AnswerPlan, _ slices: StoredSlices, _ served: Served
    ) async throws -> Ending {
      var slices = slices
      var ending = Ending(served: served, decision: plan.fields.decision)
      do {
        guard let first = try await slices.next() else { throw StoredSlices.Shortage.gone }
        try await client.write(.head(plan.status, plan.fields, hasContent: true))
        ending.status = plan.status
        try await write(.content(first), &ending.length)
        while let next = try await slices.next() {
          try await write(.content(next), &ending.length)
        }
        try await client.write(.end(trailers: HeaderFields()))
      } catch let shortage as StoredSlices.Shortage {
        // The stated length shows the client that bytes are missing.
        (ending.isBroken, ending.lacksContent) = (true, true)
        switch shortage {
        case .gone: ending.isDamaged = true
        case .unreadable: core.figures.noteStored(false)
        }
      } catch {
        guard ending.status > 0 else { throw error }
        (ending.isBroken, ending.hasLeft) = (true, true)
      }
      return ending
    }

    /// Writes a part, and counts the body bytes that the client has taken.
    private func write(_ part: AnswerPart, _ length: inout Int) async throws {
      do {
        length += try await client.write(part)
      } catch let gone as ClientChannel.Gone {
        length += gone.taken.content
        throw gone
      }
    }

    private func sendHead(
      _ status: Int, _ fields: HeaderFields, _ served: Served
    ) async throws -> Ending {
      try await client.write(.head(status, fields, hasContent: false))
      return Ending(status: status, served: served, decision: fields.decision)
    }

    /// Sends the header section at once, with the body bytes that have arrived, and the rest as it comes.
    func stream(
      _ status: Int, _ fields: HeaderFields, _ body: SharedBody, _ reader: Int, _ served: Served
    ) async throws -> Ending {
      var ending = Ending(status: status, served: served, decision: fields.decision)
      do {
        if let first = body.first(reader, atMost: Self.openingSize) {
          let opening = AnswerPart.opening(status, fields, first.bytes, isEnd: first.isEnd)
          try await write(opening, &ending.length)
          if first.isEnd { return ending }
        } else {
          try await client.write(.head(status, fields, hasContent: true))
        }
      } catch let gone as ClientChannel.Gone where gone.taken.isBegun {
        // A window of HTTP/2 holds up the body, but not the header section.
        ending.noteDeparture(from: fields)
        return ending
      }
      do {
        let isWhole = try await stream(body, reader, &ending.length)
        (ending.isBroken, ending.lacksContent) = (!isWhole, !isWhole)
        if !isWhole { ending.origin.error = body.fault }
      } catch {
        ending.noteDeparture(from: fields)
      }
      return ending
    }

    /// The body bytes that go with the header section. Any system takes so many at once, so they do not delay it.
    private static let openingSize = 16 << 10

    /// Sends the body as it comes; false when it is incomplete.
    private func stream(
      _ body: SharedBody, _ reader: Int, _ length: inout Int
    ) async throws -> Bool {
      while true {
        switch await body.next(reader) {
        case .bytes(let part): try await write(.content(part), &length)
        case .end:
          try await client.write(.end(trailers: body.trailers))
          return true
        case .broken:
          // A reader whose task was cancelled gets the same result.
          try Task.checkCancellation()
          return false
        }
      }
    }
  }

  /// A body whose bytes lie in the file, read one block at a time. The sender asks for the next slice when the client
  /// has taken the one before.
  struct StoredSlices: Sendable {
    /// The reason why the rest of the body cannot be sent.
    enum Shortage: Error {
      /// A block is missing or damaged.
      case gone
      /// The file cannot be read now.
      case unreadable
    }

    private enum Piece: Sendable {
      case bytes(ByteBuffer)
      /// A range of the stored bytes.
      case stored(Range<Int64>)
    }

    private var rest: ArraySlice<Piece> = []
    private let stored: ContentBytes.Stored
    private let reader: BlockReader

    /// `nil` for a body in memory, or when bytes are missing that the plan needs.
    init?(_ content: AnswerPlan.Content, of bytes: ContentBytes, _ reader: BlockReader) {
      guard let stored = bytes.stored else { return nil }
      (self.stored, self.reader) = (stored, reader)
      var pieces: [Piece] = []
      switch content {
      case .none: break
      case .text(let text): pieces = [.bytes(ByteBuffer(string: text))]
      case .whole: pieces = [.stored(0..<stored.blocks.size)]
      case .range(let range):
        guard let place = bytes.place(of: range) else { return nil }
        pieces = [.stored(place)]
      case .ranges(let ranges):
        for part in ranges.parts {
          guard let place = bytes.place(of: part.range) else { return nil }
          pieces += [.bytes(ByteBuffer(bytes: part.head)), .stored(place)]
        }
        pieces.append(.bytes(ByteBuffer(bytes: ranges.end)))
      }
      rest = pieces[...]
    }

    /// Returns the next bytes; `nil` at the end. Reads only the blocks that are needed.
    mutating func next() async throws(Shortage) -> ByteBuffer? {
      while let piece = rest.popFirst() {
        switch piece {
        case .bytes(let bytes): return bytes
        case .stored(let place):
          guard !place.isEmpty else { continue }
          guard let bytes = try await read(place) else { throw .gone }
          let end = place.lowerBound + Int64(bytes.readableBytes)
          if end < place.upperBound {
            rest.insert(.stored(end..<place.upperBound), at: rest.startIndex)
          }
          return bytes
        }
      }
      return nil
    }

    private func read(_ place: Range<Int64>) async throws(Shortage) -> ByteBuffer? {
      do throws(StoreError) {
        return try await reader.bytes(place, of: stored.blocks)
      } catch {
        throw .unreadable
      }
    }
  }
#endif
