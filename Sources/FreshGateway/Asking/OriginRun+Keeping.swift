#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore
  internal import Strategies

  /// The changes of the store by an answer and its content.
  extension OriginRun {
    func finish(_ arrival: Arrival, _ request: SourceRequest?) async {
      let head = arrival.head
      if let refusal = head.conclusion.whyUnkept { core.figures.noteUnkept(refusal) }
      var unkept: StoringRefusal?
      var changes = CopyChanges<StoredBody>()
      var writers = ContentWriters(for: request, core.room)
      for change in head.conclusion.changes { await add(change, of: head, to: &changes, &writers) }
      if !head.conclusion.isStored {
        // Content for one client delays neither the changes nor the requests that wait for the lease.
        _ = await commit(changes, request, head)
      }
      if let body = head.body, let answer = arrival.answer {
        let isWhole =
          if let isReadWhole = arrival.isReadWhole { isReadWhole } else {
            await stream(answer, into: body)
          }
        let isCutOff = upload?.isCutOff ?? false
        if let slow = body.slowClient ?? (isCutOff ? client : nil) { noteTooManySlow(slow) }
        if isWhole, let stored = head.stored {
          unkept = await add(stored, body, answer, head, to: &changes, &writers)
        } else if head.conclusion.isStored {
          unkept = body.isKept ? .broken : reason(forLosing: body)
        }
      }
      if head.conclusion.isStored {
        let isCommitted = await commit(changes, request, head)
        if unkept == nil, !isCommitted { unkept = .notKept }
        if let unkept { core.figures.noteUnkept(unkept) }
      }
      // Content that a record has by now stays.
      await writers.giveUp()
      await head.body?.giveUp()
    }

    /// The reason why content is not kept, where only its arrival has shown that.
    private func reason(forLosing body: SharedBody) -> StoringRefusal {
      core.hasRoom(for: body.length) ? .notKept : .tooLarge
    }

    /// Ends the request with the changes of its answer; false where the store did not take them.
    private func commit(
      _ changes: CopyChanges<StoredBody>, _ request: SourceRequest?, _ head: Flight.Head
    ) async -> Bool {
      guard let request else { return false }
      guard !changes.isEmpty else {
        await collection.end(
          request, withdrawing: head.conclusion.withdraws && asksPastFleet(head.plan))
        return true
      }
      do throws(StoreError) {
        try await core.shelf.update(changes, answering: request, key, at: head.arrival)
        core.noteKept(changes.bytes, isLong: changes.haveBlocks)
        return true
      } catch {
        core.noteUnkept(error)
        await collection.end(request)
        return false
      }
    }

    private func add(
      _ change: Conclusion.Change, of head: Flight.Head,
      to changes: inout CopyChanges<StoredBody>, _ writers: inout ContentWriters
    ) async {
      switch change {
      case .renew(let index, let stored):
        let record = head.copies[index].record
        if key.key(of: stored, core.policy) == record.key {
          changes.renewals.append((record, stored.details(origin: address.origin)))
        } else {
          // With its new fields the copy answers other requests.
          guard let content = await core.shelf.copied(head.copies[index], &writers) else { return }
          core.shelf.add(stored, content, address, among: head.copies, to: &changes)
          if !changes.removals.contains(where: { $0.key == record.key }) {
            changes.removals.append(record)
          }
        }
      case .add(let stored, contentOf: let index):
        guard let content = await core.shelf.copied(head.copies[index], &writers) else { return }
        core.shelf.add(stored, content, address, among: head.copies, to: &changes)
      case .invalidate(let index):
        changes.marks.append((head.copies[index].record.key, HeldCopy.invalidation))
      case .remove(let index): changes.removals.append(head.copies[index].record)
      }
    }

    /// Adds the answer to the changes; returns the reason where its content prevents that.
    private func add(
      _ stored: StoredAnswer, _ body: SharedBody, _ answer: ForwardedAnswer, _ head: Flight.Head,
      to changes: inout CopyChanges<StoredBody>, _ writers: inout ContentWriters
    ) async -> StoringRefusal? {
      guard let content = await body.arrived() else { return reason(forLosing: body) }
      guard
        let whole = stored.completed(
          length: content.length, isComplete: answer.showsItsEnd, policy: core.policy)
      else { return .broken }
      // A good answer may have arrived while this error was in flight.
      if whole.isServerError,
        VariantChoice.hidesGood(
          whole.selection, core.copies(of: key, looksAgain: true).map(\.candidate))
      {
        return .serverError
      }
      guard let index = head.conclusion.joins else {
        core.shelf.add(whole, content, address, among: head.copies, to: &changes)
        return nil
      }
      let old = head.copies[index]
      guard let combined = PartialCombination.combined(whole, with: old.answer, core.policy) else {
        return .partial
      }
      guard PartialCombination.pays(for: content.length, beside: old.answer.content) else {
        return .tooSmall
      }
      // Parts that are too large together are replaced by the latest one.
      guard core.hasRoom(for: combined.content.keptLength) else {
        guard !head.plan.partMayLackFields else { return .partial }
        core.shelf.add(whole, content, address, among: head.copies, to: &changes)
        return nil
      }
      let new =
        switch content {
        case .bytes(let bytes): ContentBytes(content: whole.content, bytes: bytes)
        case .blocks(let blocks):
          ContentBytes(content: whole.content, stored: .init(blocks: blocks, record: nil))
        }
      guard let oldContent = await core.shelf.loadedAside(old)?.content,
        let joined = await core.shelf.joined(
          combined.content.extents, from: new, oldContent, &writers)
      else { return .notKept }
      core.shelf.add(combined, joined, address, among: head.copies, to: &changes)
      return nil
    }

    /// Passes the content on; true when it was complete.
    private func stream(_ answer: ForwardedAnswer, into body: SharedBody) async -> Bool {
      var isWanted = true
      do throws(HTTPFetchError) {
        try await answer.content.read { part in
          isWanted = await body.append(part)
          return isWanted
        }
        let trailers = TrailerFields.sent(
          of: answer.content.trailers, besides: unshared(of: answer.fields))
        body.end(isWhole: isWanted, trailers: trailers)
        return isWanted
      } catch {
        body.end(isWhole: false, fault: noteBreakingOff(error))
        return false
      }
    }

    /// The fields that other clients of the same content must not get.
    private func unshared(of fields: HeaderFields) -> Set<String> {
      guard isShared else { return [] }
      let control = AnswerDirectives(fields, targets: core.policy.targets).control
      return StoredHeader.ofOneRequest(control, core.policy)
    }

    /// Notes that content has broken off; returns the reason, where the origin is to blame. The origin has answered, so
    /// it is not paused for that.
    func noteBreakingOff(_ error: HTTPFetchError) -> String? {
      guard !Task.isCancelled, let words = error.breakingOff else { return nil }
      core.figures.noteBreakingOff()
      core.note(words)
      return words
    }
  }

  extension HTTPFetchError {
    /// The reason why content in flight has broken off, for operators; `nil` where its origin is not to blame.
    fileprivate var breakingOff: String? {
      switch self {
      case .cancelled, .shortage: nil
      case .transport(_, let description), .unreachable(_, let description):
        "its answer breaks off: \(description)"
      case .tls(_, let failure): "its answer breaks off: \(failure)"
      case .timedOut: "its answer breaks off: nothing more of it came in time"
      case .malformedAnswer(_, let description):
        "its answer breaks off: what follows is not HTTP" + (description.map { " (\($0))" } ?? "")
      default: "its answer breaks off"
      }
    }
  }

  extension CopyChanges {
    /// True where a stored value was written in blocks.
    fileprivate var haveBlocks: Bool {
      additions.contains { if case .blocks = $0.content { true } else { false } }
    }
  }

  extension CopyChanges<StoredBody> {
    /// The approximate size of the additions to the store.
    fileprivate var bytes: Int {
      var bytes = 0
      for addition in additions {
        switch addition.content {
        case .value(let body): bytes += body.bytes.readableBytes
        case .blocks(let content): bytes += Int(content.size)
        }
        // The head, and the row.
        bytes += 1024
      }
      return bytes
    }
  }

  extension Conclusion {
    /// True when the answer is stored once it is complete.
    var isStored: Bool { if case .success = storing { true } else { false } }
  }
#endif
