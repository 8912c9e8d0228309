#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import Strategies
  internal import Synchronization

  /// A request in flight to an origin, and the clients that wait for its answer.
  final class Flight: Sendable {
    /// The origin's answer, or its failure to answer.
    enum Outcome: Sendable {
      case answered(OriginAnswer)
      case failed(NoAnswer)
    }

    /// The state of a flight once the head of the answer is here.
    struct Head: Sendable {
      /// The request as it was sent.
      let plan: ForwardPlan
      /// The copies of the plan's candidates, in the same order.
      let copies: [HeldCopy]
      let outcome: Outcome
      /// The decision for the client that has sent the request.
      var conclusion: Conclusion
      /// The content of the origin's answer; `nil` where none is sent.
      var body: SharedBody?
      /// The sender's reader of the content, registered before its beginning can be dropped.
      var reader: Int?
      let arrival: ClockReading
    }

    enum News: Sendable {
      case head(Head)
      /// Another request has stored an answer meanwhile: decide again.
      case stored
    }

    enum JoinerNews: Sendable {
      case news(News)
      case late
      /// The request waits for a resource that only its sender lacks.
      case withdrawn
    }

    let news = Announcement<News>()
    /// True for a request of the gateway itself.
    let isBackground: Bool

    private struct State {
      /// The news for joiners: the same, or that they must not wait for it.
      var joinerNews = Announcement<JoinerNews>()
      /// The budget in which it has a place, as a flight that goes on without its client.
      var departed: StorageQuota?
      var waiters = 0
      var isAnnounced = false
      /// True once the last client has left before any news: there will be no answer.
      var isGivenUp = false
      var hasSenderLeft = false
      var task: Task<Void, Never>?
      var request: SourceRequest?
      /// The number of the file when the origin was asked without a source request.
      var numberAsked: Int64?
      /// The moment of its answer, from ``Flights/nextMoment()``.
      var answered: Int?
      var next: Flight?
    }

    private let state = Mutex(State())

    /// - Parameter isBackground: True for a request of the gateway itself.
    init(isBackground: Bool) { self.isBackground = isBackground }

    deinit { state.withLock { $0.departed }?.giveBack(1) }

    func run(_ work: @escaping @Sendable () async -> Void) {
      let task = Task.onCallersExecutor { await work() }
      state.withLock { $0.task = task }
    }

    /// Notes that the origin is asked from now on: its answer may not know of later marks.
    ///
    /// - Parameters:
    ///   - request: `nil` where the file cannot be written just now.
    ///   - number: The number of the file at this time: a later mark moves it.
    func begin(_ request: SourceRequest?, at number: Int64? = nil) {
      state.withLock { ($0.request, $0.numberAsked) = (request, number) }
    }

    /// The source request under which the origin was asked; `nil` before that, and where it was asked without one.
    var request: SourceRequest? { state.withLock { $0.request } }

    /// The number of the file when the origin was asked without a source request; `nil` before that, and where the
    /// number could not be read.
    var numberAsked: Int64? { state.withLock { $0.numberAsked } }

    /// Notes the moment of the answer; of several answers to one flight the last counts.
    func answer(at moment: Int) { state.withLock { $0.answered = moment } }

    /// True without an answer, and for one after this moment: a request from before then has waited for the answer,
    /// however late it joined.
    func isAnswered(after moment: Int) -> Bool {
      state.withLock { $0.answered.map { $0 > moment } ?? true }
    }

    /// The next flight, for the clients that have waited for this one in vain.
    var next: Flight? {
      get { state.withLock { $0.next } }
      set { state.withLock { $0.next = newValue } }
    }

    /// The head of the answer, once it is here.
    var head: Head? { if case .head(let head) = news.made { head } else { nil } }

    /// The tags of its answer; `nil` until the head is here, as they are unknown.
    var tags: Set<String>? {
      switch news.made {
      case .head(let head): head.tags
      case .stored: []
      case nil: nil
      }
    }

    /// The news for a joiner; `nil` when the task is cancelled.
    func newsForJoiner() async -> JoinerNews? {
      await state.withLock { $0.joinerNews }.value()
    }

    /// Ends the wait of all joiners for its head; a head that is here already stays.
    func giveUpJoiners() { state.withLock { $0.joinerNews }.make(.late) }

    /// The same until ``rejoin()``.
    func withdraw() { state.withLock { $0.joinerNews }.make(.withdrawn) }

    /// Lets later joiners wait for its head again.
    func rejoin() { state.withLock { $0.joinerNews = Announcement() } }

    /// Tells the news to the sender and all joiners.
    func announce(_ news: News) {
      let joinerNews = state.withLock { state in
        state.isAnnounced = true
        return state.joinerNews
      }
      self.news.make(news)
      joinerNews.make(.news(news))
      // Clients that left before the news could not see that they were the last.
      guard case .head(let head) = news else { return }
      let (isAlone, hasSenderLeft) = state.withLock { ($0.waiters == 0, $0.hasSenderLeft) }
      if hasSenderLeft { head.leaveAsSender() }
      if isAlone { abandon(head) }
    }

    /// The clients that have entered, and not left.
    var waiters: Int { state.withLock { $0.waiters } }

    /// False for a flight that was given up, which has no answer for any client.
    func enter() -> Bool {
      state.withLock { state in
        guard !state.isGivenUp else { return false }
        state.waiters += 1
        return true
      }
    }

    /// Takes a client out. The last one cancels a request without an answer, unless it may change something, and
    /// content that is not stored.
    ///
    /// - Parameters:
    ///   - asSender: True for the client that has sent the request.
    ///   - room: For a request that may change something, as only its answer tells: the budget of requests that go on
    ///     without their clients.
    func leave(asSender: Bool = false, goingOnWithin room: StorageQuota? = nil) {
      let (isLast, isGivenUp, task) = state.withLock { state in
        state.waiters -= 1
        if asSender { state.hasSenderLeft = true }
        let isLast = state.waiters == 0
        if isLast, !state.isAnnounced, !isBackground {
          if let room, room.take(1) { state.departed = room } else { state.isGivenUp = true }
        }
        return (isLast, state.isGivenUp, state.task)
      }
      if isGivenUp { task?.cancel() }
      guard case .head(let head) = news.made else { return }
      if asSender { head.leaveAsSender() }
      if isLast { abandon(head) }
    }

    /// Notes that no client waits for the content. A task for content that is not stored is cancelled: an origin may
    /// send none for a long time.
    private func abandon(_ head: Head) {
      guard let body = head.body, body.stopAwaitingReaders() else { return }
      state.withLock { $0.task }?.cancel()
    }
  }

  /// The meaning of an answer for clients other than its sender.
  extension Flight.Head {
    var stored: StoredAnswer? {
      if case .success(let stored) = conclusion.storing { stored } else { nil }
    }

    /// The copy that the origin has confirmed, in its renewed form, and its index.
    var confirmed: (answer: StoredAnswer, index: Int)? {
      guard case .copy(_, from: let index) = conclusion.reply else { return nil }
      for change in conclusion.changes {
        switch change {
        case .renew(index, let stored), .add(let stored, contentOf: index): return (stored, index)
        case .renew, .add, .invalidate, .remove: continue
        }
      }
      return nil
    }

    /// The answer as it is stored, or would be if it were of use to later requests.
    var storable: StoredAnswer? { stored ?? conclusion.momentary }

    /// The answer for other clients that have waited.
    var shareable: StoredAnswer? { storable ?? confirmed?.answer }

    /// The tags of the answer for other clients, and of the copies that it replaces.
    var tags: Set<String> {
      guard let origin = plan.request.address?.origin else { return [] }
      let answers = plan.candidates.map(\.answer) + [shareable].compactMap(\.self)
      return Set(
        answers.flatMap(\.terms.groups).map { CacheGroups.tag($0, origin: origin) })
    }

    /// False when the next answer of the address is probably for one request only, too.
    var mayBeSharedNext: Bool {
      guard case .failure(let refusal) = conclusion.storing else { return true }
      switch refusal {
      case .request, .requestNoStore, .authorization, .partial: return true
      case .notKept, .overtaken, .tooLarge, .tooSmall, .rules, .unchecked, .broken: return true
      case .useless, .cookie, .serverError: return conclusion.momentary != nil
      case .status, .noStore, .private, .mustUnderstand, .variesByEverything, .notCacheable,
        .setsCookie, .ambiguousLength:
        return false
      }
    }

    /// Ends the sender's reading of the content.
    fileprivate func leaveAsSender() {
      if let reader { body?.leave(reader) }
    }
  }
#endif
