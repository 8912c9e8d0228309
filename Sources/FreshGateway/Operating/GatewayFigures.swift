internal import Synchronization

/// What a gateway has done since it began.
final class GatewayFigures: Sendable {
  struct Snapshot: Sendable {
    var served = [Int](repeating: 0, count: Served.allCases.count)
    /// By the hundreds of the status.
    var statuses = [Int](repeating: 0, count: 6)
    var bytes = 0
    var refusals = 0
    var connections = 0
    var openConnections = 0
    /// Requests to origins, and those of them without an answer.
    var originRequests = 0
    var originFailures = 0
    /// Answers of origins that have broken off.
    var brokenAnswers = 0
    /// Answers of origins by their time to the head, not cumulated; the last bucket has no end.
    var originTimes = [Int](repeating: 0, count: GatewayFigures.bounds.count + 1)
    var originSeconds = 0.0
    /// Answers of origins by the hundreds of their status.
    var originStatuses = [Int](repeating: 0, count: 6)
    var stored = 0
    /// Answers of origins that are not kept, and those of all that break the rules of operators.
    var unkept: [StoringRefusal: Int] = [:]
    var ruleBreaks = 0
    /// Purges, and the copies that they were of.
    var purges = 0
    var purgedCopies = 0
    var storeFailures = 0
  }

  /// The ends of the buckets of the origins' times, in seconds.
  static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

  private let state = Mutex(Snapshot())

  var snapshot: Snapshot { state.withLock { $0 } }

  func note(_ served: Served, status: Int, length: Int) {
    state.withLock { state in
      state.served[served.rawValue] += 1
      if served != .abandoned { state.statuses[min(5, max(0, status / 100))] += 1 }
      state.bytes += length
    }
  }

  func noteRefusal() { state.withLock { $0.refusals += 1 } }

  func noteConnection(isOpen: Bool) {
    state.withLock { state in
      if isOpen { state.connections += 1 }
      state.openConnections += isOpen ? 1 : -1
    }
  }

  /// - Parameters:
  ///   - time: To the head of the answer; `nil` when none came.
  ///   - status: That of the answer.
  func noteOrigin(_ time: Duration?, status: Int = 0) {
    state.withLock { state in
      state.originRequests += 1
      guard let time else {
        state.originFailures += 1
        return
      }
      let seconds = time / .seconds(1)
      let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
      state.originTimes[bucket] += 1
      state.originStatuses[min(5, max(0, status / 100))] += 1
      state.originSeconds += seconds
    }
  }

  func noteBreakingOff() { state.withLock { $0.brokenAnswers += 1 } }

  func noteUnkept(_ refusal: StoringRefusal) {
    state.withLock { $0.unkept[refusal, default: 0] += 1 }
  }

  func noteRuleBreak() { state.withLock { $0.ruleBreaks += 1 } }

  func notePurge(of copies: Int) {
    state.withLock { state in
      state.purges += 1
      state.purgedCopies += copies
    }
  }

  func noteStored(_ isStored: Bool) {
    state.withLock { state in
      if isStored { state.stored += 1 } else { state.storeFailures += 1 }
    }
  }
}

/// What an answer was, for the figures.
enum Served: Int, Sendable, CaseIterable {
  /// A copy that is fresh.
  case hit
  /// One that is not, as the request takes it all the same (`max-stale`).
  case staleByRequest
  /// One that is not, while it is renewed.
  case staleWhileRenewed
  /// One that is not, in the place of an error of the origin.
  case staleForError
  /// One that is not, as the origin was asked and gave no answer.
  case staleForNoAnswer
  /// One that is not, as the origin is out of reach, or left alone.
  case staleUnasked
  /// One that is not, in the place of an answer that breaks the rules.
  case staleByRules
  /// A copy that the origin has confirmed.
  case revalidated
  /// The origin's answer.
  case miss
  /// The origin's answer to somebody else.
  case collapsed
  /// The origin's answer to a request that no copy could answer.
  case passed
  /// An answer of the gateway's own.
  case own
  /// None: the client left before.
  case abandoned

  /// A copy that stands in for an origin that gave no answer.
  init(staleFor failure: NoAnswer) {
    self =
      switch failure.concern {
      case .holders: .staleByRules
      case .all, .request: failure.wasSent ? .staleForNoAnswer : .staleUnasked
      }
  }

  /// Why a copy that is not fresh was the answer, as the figures call it; `nil` for all else.
  var staleReason: String? {
    switch self {
    case .staleByRequest: "request"
    case .staleWhileRenewed: "renewal"
    case .staleForError: "error"
    case .staleForNoAnswer: "no-answer"
    case .staleUnasked: "not-asked"
    case .staleByRules: "rules"
    case .hit, .revalidated, .miss, .collapsed, .passed, .own, .abandoned: nil
    }
  }
}
