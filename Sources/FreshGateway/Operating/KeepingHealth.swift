#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import Strategies
  internal import Synchronization

  /// Tracks whether the store accepts what a gateway stores. Reports only changes.
  final class KeepingHealth: Sendable {
    struct Failure: Sendable {
      /// The objects that are not stored.
      let subject: String
      /// The reason of the last failure.
      let reason: String
      let since: Timestamp

      var words: String { "\(subject) are not kept since \(HTTPDate.format(since)): \(reason)" }
    }

    private struct State {
      /// The failure of the last attempt; `nil` when it succeeded.
      var failure: Failure?
      /// The start of the reported failures; `nil` when their end was reported.
      var since: Timestamp?
      /// The moment of the last failed attempt, in milliseconds since the boot.
      var last: Int64 = 0
    }

    private let state = Mutex(State())
    private let subject: String
    /// In milliseconds.
    private let calm: Int64
    private let tell: @Sendable (String) -> Void

    /// - Parameters:
    ///   - subject: The objects that are stored.
    ///   - calm: The time without a failure after which the recovery is reported, in milliseconds.
    ///   - tell: Accepts a line for operators.
    init(
      of subject: String = "answers", calm: Int64 = 10_000,
      tell: @escaping @Sendable (String) -> Void = { _ in }
    ) {
      (self.subject, self.calm, self.tell) = (subject, calm, tell)
    }

    /// The failure of the last attempt; `nil` when it succeeded.
    var failure: Failure? { state.withLock { $0.failure } }

    /// True while failures are reported, and their end is not.
    var isTold: Bool { state.withLock { $0.since != nil } }

    /// Notes a failed attempt. Ignores an error that the file did not cause.
    func note(_ error: StoreError, at now: ClockReading) {
      guard error.isOfFile, error.code != .closed else { return }
      let reason = "\(error)"
      let isNews = state.withLock { state in
        let since = state.since ?? now.wall
        defer { state.since = since }
        state.failure = Failure(subject: subject, reason: reason, since: since)
        state.last = now.sinceBoot
        return state.since == nil
      }
      if isNews { tell("\(subject) are not kept: \(reason)") }
    }

    /// Notes a successful attempt. On an almost full disk some objects fit between others that do not. So only a time
    /// without failures is reported as recovery.
    func noteSuccess(at now: ClockReading) {
      let isNews = state.withLock { state in
        state.failure = nil
        guard state.since != nil, now.sinceBoot - state.last >= calm else { return false }
        state.since = nil
        return true
      }
      if isNews { tell("\(subject) are kept again") }
    }
  }

  extension GatewayCore {
    /// Checks that the store can be written, before an answer has to be stored. Reports a failure.
    func tryStore() async {
      do throws(StoreError) {
        let request = try await shelf.collection.request()
        await shelf.collection.end(request)
        shelf.keeping.noteSuccess(at: store.now())
      } catch {
        shelf.keeping.note(error, at: store.now())
      }
    }

    /// Tries a store again that is reported as failing. A gateway that only serves copies would not notice its
    /// recovery.
    func retryStore() async {
      if shelf.keeping.isTold { await tryStore() }
      if shelf.keepingLong.isTold { await tryLongContent() }
    }

    /// Checks that the file accepts one block of content, and removes the block at once.
    private func tryLongContent() async {
      let writer = ContentWriter(store, within: room.limit)
      do throws(StoreError) {
        let bytes = [UInt8](repeating: 0, count: ContentReference.blockSize + 1)
        // `nil` means that other content in flight uses all room.
        if try await writer.add(bytes) != nil { shelf.keepingLong.noteSuccess(at: store.now()) }
      } catch {
        return shelf.keepingLong.note(error, at: store.now())
      }
      await writer.giveUp(isRead: false)
      do throws(StoreError) {
        try await store.collectContents(within: .seconds(1))
      } catch {
        // The file has accepted the block. The next sweep removes it.
      }
    }

    /// Notes that the store has accepted an answer.
    ///
    /// - Parameters:
    ///   - bytes: The approximate size in the store.
    ///   - isLong: True for an answer that was written in blocks.
    func noteKept(_ bytes: Int, isLong: Bool) {
      figures.noteStored(true)
      if share.add(bytes) { options.makeRoom() }
      let now = store.now()
      shelf.keeping.noteSuccess(at: now)
      if isLong { shelf.keepingLong.noteSuccess(at: now) }
    }

    /// Notes that the store has not accepted an answer.
    func noteUnkept(_ error: StoreError) {
      figures.noteStored(false)
      shelf.keeping.note(error, at: store.now())
    }

    /// Notes that the file did not accept the rest of a long answer. No other long answer is begun for a while.
    func noteFullFile(_ error: StoreError) {
      figures.noteStored(false)
      shelf.noteFullFile(error)
      pause.fail(at: store.now().sinceBoot)
    }
  }
#endif
