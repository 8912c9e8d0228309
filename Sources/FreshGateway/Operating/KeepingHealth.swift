#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import Strategies
  internal import Synchronization

  /// Whether the store takes what a gateway is to keep. Tells when that changes, and not at each request.
  final class KeepingHealth: Sendable {
    struct Failure: Sendable {
      /// What is not kept.
      let subject: String
      /// Of the last attempt that failed.
      let reason: String
      let since: Timestamp

      var words: String { "\(subject) are not kept since \(HTTPDate.format(since)): \(reason)" }
    }

    private struct State {
      /// Of the last attempt; `nil` where that has succeeded.
      var failure: Failure?
      /// When those began of which operators have been told, and not yet that they are over.
      var since: Timestamp?
      /// The moment of the last attempt that failed, since the boot.
      var last: Int64 = 0
    }

    private let state = Mutex(State())
    private let subject: String
    /// In milliseconds.
    private let calm: Int64
    private let tell: @Sendable (String) -> Void

    /// - Parameters:
    ///   - subject: What is kept, or not.
    ///   - calm: How long nothing must have failed until that is told, in milliseconds.
    ///   - tell: Takes a line for operators.
    init(
      of subject: String = "answers", calm: Int64 = 10_000,
      tell: @escaping @Sendable (String) -> Void = { _ in }
    ) {
      (self.subject, self.calm, self.tell) = (subject, calm, tell)
    }

    /// Why nothing is kept, as the last attempt has shown; `nil` where it has succeeded.
    var failure: Failure? { state.withLock { $0.failure } }

    /// True as long as operators have been told of failures, and not of their end.
    var isTold: Bool { state.withLock { $0.since != nil } }

    /// Notes that something was not kept; one that the file is not to blame for says nothing.
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

    /// Notes that something was kept. On a disk that is almost full some find room between others that find none: only a
    /// while without a failure is news.
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
    /// Finds out whether the store can be written before an answer is to be kept, and tells where it cannot.
    func tryStore() async {
      do throws(StoreError) {
        let request = try await shelf.collection.request()
        await shelf.collection.end(request)
        shelf.keeping.noteSuccess(at: store.now())
      } catch {
        shelf.keeping.note(error, at: store.now())
      }
    }

    /// Tries the store again where operators believe that it takes nothing: answers from copies alone would not find
    /// out that it does.
    func retryStore() async {
      if shelf.keeping.isTold { await tryStore() }
      if shelf.keepingLong.isTold { await tryLongContent() }
    }

    /// Finds out whether the file takes one block of content, which goes at once.
    private func tryLongContent() async {
      let writer = ContentWriter(store, within: room.limit)
      do throws(StoreError) {
        let bytes = [UInt8](repeating: 0, count: ContentReference.blockSize + 1)
        // Else too much else is on its way.
        if try await writer.add(bytes) != nil { shelf.keepingLong.noteSuccess(at: store.now()) }
      } catch {
        return shelf.keepingLong.note(error, at: store.now())
      }
      await writer.giveUp(isRead: false)
      do throws(StoreError) {
        try await store.collectContents(within: .seconds(1))
      } catch {
        // The file has taken the block, and the next sweep sees to it.
      }
    }

    /// The store has taken an answer.
    ///
    /// - Parameters:
    ///   - bytes: What it takes in the store, about.
    ///   - isLong: True for one that was written in blocks.
    func noteKept(_ bytes: Int, isLong: Bool) {
      figures.noteStored(true)
      if share.add(bytes) { options.makeRoom() }
      let now = store.now()
      shelf.keeping.noteSuccess(at: now)
      if isLong { shelf.keepingLong.noteSuccess(at: now) }
    }

    /// The store has not taken what it was to keep.
    func noteUnkept(_ error: StoreError) {
      figures.noteStored(false)
      shelf.keeping.note(error, at: store.now())
    }

    /// Notes that the file has taken no more of a long answer; for a while no other is begun.
    func noteFullFile(_ error: StoreError) {
      figures.noteStored(false)
      shelf.noteFullFile(error)
      pause.fail(at: store.now().sinceBoot)
    }
  }
#endif
