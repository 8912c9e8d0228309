#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore
  internal import Strategies
  internal import Synchronization

  /// A request that is on its way to an origin, and those who wait for what comes of it.
  final class Flight: Sendable {
    /// What the origin has said, or that it has not.
    enum Outcome: Sendable {
      case answered(OriginAnswer)
      case failed(NoAnswer)
    }

    /// What is known once the head of the answer is here.
    struct Head: Sendable {
      /// What was sent.
      let plan: ForwardPlan
      /// The copies that the plan's candidates are, in their order.
      let copies: [HeldCopy]
      let outcome: Outcome
      /// What becomes of it for whoever has sent it.
      let conclusion: Conclusion
      /// The content of the origin's answer; `nil` where none is sent.
      let body: SharedBody?
      /// The place in it of whoever has sent the request, who so gets it whatever becomes of its beginning.
      var reader: Int?
      let arrival: ClockReading
    }

    enum News: Sendable {
      case head(Head)
      /// Somebody else has stored an answer meanwhile: decide again.
      case stored
    }

    let news = Announcement<News>()
    enum JoinerNews: Sendable {
      case news(News)
      case late
      /// The request waits for something that only its sender lacks.
      case withdrawn
    }

    /// True for one that no client has sent.
    let isBackground: Bool

    private struct State {
      /// What those hear who have joined: the same, or that it is no use to wait for it.
      var joinerNews = Announcement<JoinerNews>()
      /// Where it has a place, as one that goes on without its client.
      var departed: StorageBudget?
      var waiters = 0
      var isAnnounced = false
      /// True once the last has left before anything was announced: nothing comes of it.
      var isGivenUp = false
      var hasSenderLeft = false
      var task: Task<Void, Never>?
      var request: SourceRequest?
      /// What the file was at when the origin was asked without a request.
      var numberAsked: Int64?
      /// When its answer came, in the order of ``Flights/nextMoment()``.
      var answered: Int?
      var next: Flight?
    }

    private let state = Mutex(State())

    /// - Parameter isBackground: True for one that no client waits for.
    init(isBackground: Bool) { self.isBackground = isBackground }

    deinit { state.withLock { $0.departed }?.giveBack(1) }

    func run(_ work: @escaping @Sendable () async -> Void) {
      let task = Task.onCallersExecutor { await work() }
      state.withLock { $0.task = task }
    }

    /// The origin is asked from now on: what is marked later may not be known to its answer.
    ///
    /// - Parameters:
    ///   - request: `nil` where the file cannot be written just now.
    ///   - number: What the file is at then: a mark that comes later moves it.
    func begin(_ request: SourceRequest?, at number: Int64? = nil) {
      state.withLock { ($0.request, $0.numberAsked) = (request, number) }
    }

    /// What the origin was asked under; `nil` as long as it was not, and where it was asked without a request.
    var request: SourceRequest? { state.withLock { $0.request } }

    /// What the file was at when the origin was asked without a request; `nil` as long as it was not, and where that
    /// could not be read.
    var numberAsked: Int64? { state.withLock { $0.numberAsked } }

    /// The origin has answered; of several answers to one flight the last counts.
    func answer(at moment: Int) { state.withLock { $0.answered = moment } }

    /// True as long as there is no answer, and for one that came after a moment: whoever was there by then has waited
    /// for it, however late it joined.
    func isAnswered(after moment: Int) -> Bool {
      state.withLock { $0.answered.map { $0 > moment } ?? true }
    }

    /// The flight of those who have waited for this one in vain.
    var next: Flight? {
      get { state.withLock { $0.next } }
      set { state.withLock { $0.next = newValue } }
    }

    /// The head of the answer, once it is here.
    var head: Head? { if case .head(let head) = news.made { head } else { nil } }

    /// The tags that count for its answer; `nil` until its head is here, as it may be of any.
    var tags: Set<String>? {
      switch news.made {
      case .head(let head): head.tags
      case .stored: []
      case nil: nil
      }
    }

    /// What becomes of it, for one who has joined; `nil` when the task is cancelled.
    func newsForJoiner() async -> JoinerNews? {
      await state.withLock { $0.joinerNews }.value()
    }

    /// Nobody waits for its head any longer but its sender; a head that is here already stays.
    func giveUpJoiners() { state.withLock { $0.joinerNews }.make(.late) }

    /// The same until ``rejoin()``.
    func withdraw() { state.withLock { $0.joinerNews }.make(.withdrawn) }

    /// Those who join from now on wait for its head.
    func rejoin() { state.withLock { $0.joinerNews = Announcement() } }

    /// Tells all who wait.
    func announce(_ news: News) {
      let joinerNews = state.withLock { state in
        state.isAnnounced = true
        return state.joinerNews
      }
      self.news.make(news)
      joinerNews.make(.news(news))
      // Who has left before could not say that nobody is left.
      guard case .head(let head) = news else { return }
      let (isAlone, hasSenderLeft) = state.withLock { ($0.waiters == 0, $0.hasSenderLeft) }
      if hasSenderLeft { head.leaveAsSender() }
      if isAlone { abandon(head) }
    }

    /// Those who have entered, and not left.
    var waiters: Int { state.withLock { $0.waiters } }

    /// False for one that was given up, which has no answer for anybody.
    func enter() -> Bool {
      state.withLock { state in
        guard !state.isGivenUp else { return false }
        state.waiters += 1
        return true
      }
    }

    /// The last client that leaves ends what nobody wants any more: a request without an answer, unless it may change
    /// something, and content that is not stored.
    ///
    /// - Parameters:
    ///   - asSender: True for the client that has sent the request.
    ///   - room: For a request that may change something, of which its answer alone tells: the places of those that go
    ///     on without their clients.
    func leave(asSender: Bool = false, goingOnWithin room: StorageBudget? = nil) {
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

    /// Nobody waits for content any longer; where it is not stored either, an origin that sends none for a long
    /// time is not waited for.
    private func abandon(_ head: Head) {
      guard let body = head.body, body.stopAwaitingReaders() else { return }
      state.withLock { $0.task }?.cancel()
    }
  }

  extension Flight.Head {
    /// Whoever has sent the request reads no further.
    fileprivate func leaveAsSender() {
      if let reader { body?.leave(reader) }
    }
  }

  /// What an answer means for whoever is not its sender.
  extension Flight.Head {
    var stored: StoredAnswer? {
      if case .success(let stored) = conclusion.storing { stored } else { nil }
    }

    /// The copy that the origin has confirmed, as it is from now on, and its place.
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

    /// The answer as it is stored, or would be if it were of use to whoever asks later.
    var storable: StoredAnswer? { stored ?? conclusion.momentary }

    /// What others who have waited may be answered with.
    var shareable: StoredAnswer? { storable ?? confirmed?.answer }

    /// The tags that count for what others are answered with: those of the answer, and of the copies whose place it
    /// takes.
    var tags: Set<String> {
      guard let origin = plan.request.address?.origin else { return [] }
      let answers = plan.candidates.map(\.answer) + [shareable].compactMap(\.self)
      return Set(
        answers.flatMap(\.terms.groups).map { CacheGroups.tag($0, origin: origin) })
    }

    /// False when the next answer of the address is most likely for one request alone, too.
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

    func with(_ conclusion: Conclusion) -> Flight.Head {
      Flight.Head(
        plan: plan, copies: copies, outcome: outcome, conclusion: conclusion, body: nil,
        arrival: arrival)
    }
  }
#endif
