#if Gateway
  internal import FreshStore
  internal import Strategies
  internal import Synchronization

  /// A request that is on its way to an origin, and those who wait for what comes of it.
  final class Flight: Sendable {
    /// What the origin has said, or that it has not.
    enum Outcome: Sendable {
      case answered(OriginAnswer)
      case failed(String, wasSent: Bool)
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
      let arrival: ClockReading
    }

    enum News: Sendable {
      case head(Head)
      /// Somebody else has stored an answer meanwhile: decide again.
      case stored
    }

    let news = Announcement<News>()
    private let isBackground: Bool

    private struct State {
      var waiters = 0
      var task: Task<Void, Never>?
    }

    private let state = Mutex(State())

    /// - Parameter isBackground: True for one that no client waits for.
    init(isBackground: Bool) { self.isBackground = isBackground }

    func run(_ work: @escaping @Sendable () async -> Void) {
      let task = Task { await work() }
      state.withLock { $0.task = task }
    }

    /// Tells all who wait.
    func announce(_ news: News) {
      self.news.make(news)
      // Who has left before could not say that nobody is left.
      guard case .head(let head) = news, state.withLock({ $0.waiters == 0 }) else { return }
      head.body?.stopAwaitingReaders()
    }

    func enter() { state.withLock { $0.waiters += 1 } }

    /// The last client that leaves ends what nobody wants any more: a request without an answer, and content
    /// that is not stored.
    func leave() {
      let (isLast, task) = state.withLock { state in
        state.waiters -= 1
        return (state.waiters == 0, state.task)
      }
      guard isLast else { return }
      if case .head(let head) = news.made {
        head.body?.stopAwaitingReaders()
      } else if !isBackground {
        task?.cancel()
      }
    }
  }
#endif
