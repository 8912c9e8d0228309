internal import Synchronization

/// Counts what a gateway has done since it started.
final class GatewayFigures: Sendable {
  struct Snapshot: Sendable {
    var served = [Int](repeating: 0, count: Served.allCases.count)
    /// Answers by the first digit of their status.
    var statuses = [Int](repeating: 0, count: 6)
    var bytes = 0
    var refusals = 0
    var connections = 0
    var openConnections = 0
    /// Requests to origins, and those without a response.
    var originRequests = 0
    var originFailures = 0
    /// Responses of origins whose body ended early.
    var brokenAnswers = 0
    /// Responses of origins by the time until their header section, not cumulative; the last bucket has no end.
    var originTimes = [Int](repeating: 0, count: GatewayFigures.bounds.count + 1)
    var originSeconds = 0.0
    /// Responses of origins by the first digit of their status.
    var originStatuses = [Int](repeating: 0, count: 6)
    var stored = 0
    /// Responses of origins that were not stored, and all responses that break the operator's rules.
    var unkept: [StoringRefusal: Int] = [:]
    var ruleBreaks = 0
    /// Purges, and the copies that they affected.
    var purges = 0
    var purgedCopies = 0
    var storeFailures = 0
  }

  /// The upper bounds of the buckets of ``Snapshot/originTimes``, in seconds.
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
  ///   - time: The time until the header section; `nil` without a response.
  ///   - status: The status of the response.
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

/// The kind of an answer, for the figures.
enum Served: Int, Sendable, CaseIterable {
  /// A fresh copy.
  case hit
  /// A stale copy, which the request accepts (`max-stale`).
  case staleByRequest
  /// A stale copy during its revalidation.
  case staleWhileRenewed
  /// A stale copy in place of an error response.
  case staleForError
  /// A stale copy, because the origin was asked and gave no answer.
  case staleForNoAnswer
  /// A stale copy, because the origin is out of reach or not asked for now.
  case staleUnasked
  /// A stale copy in place of a response that breaks the rules.
  case staleByRules
  /// A copy that the origin has confirmed.
  case revalidated
  /// The origin's response.
  case miss
  /// The origin's response to another request.
  case collapsed
  /// The origin's response to a request that no copy could answer.
  case passed
  /// The gateway's own answer.
  case own
  /// No answer: the client left first.
  case abandoned

  /// A stale copy, because the origin gave no answer.
  init(staleFor failure: NoAnswer) {
    self =
      switch failure.concern {
      case .holders: .staleByRules
      case .all, .request: failure.wasSent ? .staleForNoAnswer : .staleUnasked
      }
  }

  /// The reason for serving a stale copy, as the figures name it; `nil` for other answers.
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
