internal import Synchronization

#if HTTP
  internal import FreshStore

  extension HTTPSource {
    /// A request that may be sent twice.
    struct Sending {
      let address: HTTPAddress
      /// The fields without those of the account.
      let fields: HeaderFields
      var method = "GET"
      var body: [UInt8]?
      /// False after a redirect to another origin.
      var carriesCredentials = true
      /// The part of the body that is read, by the status.
      var part: @Sendable (_ status: Int) -> HTTPAnswer.BodyPart = HTTPAnswer.BodyPart.valueOrWords
    }

    /// Sends a request with the credentials of the account, if there is one. If the origin refuses them, they
    /// are renewed, and the request is sent once more.
    func answer(
      to request: Sending, _ progress: FetchProgress
    ) async throws(HTTPFetchError) -> HTTPAnswer {
      guard request.carriesCredentials, let credentials = configuration.credentials else {
        return try await send(request, request.fields)
      }
      let given = try await progress.awaitingCredentials {
        () async throws(HTTPFetchError) -> Credentials.IssuedFields in
        try await credentials.issuedFields(for: request.address)
      }
      let answer = try await send(request, with: given.fields)
      guard answer.status == 401, credentials.canRenew else { return answer }
      let renewed = try await progress.awaitingCredentials {
        () async throws(HTTPFetchError) -> Credentials.IssuedFields in
        try await credentials.renew(given, for: request.address, clock: configuration.clock)
        return try await credentials.issuedFields(for: request.address)
      }
      return try await send(request, with: renewed.fields)
    }

    private func send(
      _ request: Sending, with fields: HeaderFields
    ) async throws(HTTPFetchError) -> HTTPAnswer {
      try HTTPConfiguration.check(fields.lines)
      var all = request.fields
      all.replace(by: fields)
      let answer = try await send(request, all)
      return request.part(answer.status) == .whole ? answer : answer.without(secretsOf: fields)
    }

    private func send(
      _ request: Sending, _ fields: HeaderFields
    ) async throws(HTTPFetchError) -> HTTPAnswer {
      try await transport.answer(
        to: fields, method: request.method, body: request.body, at: request.address,
        part: request.part)
    }
  }

  extension HTTPAnswer {
    /// This response without the credentials of its request in a body that is quoted or kept.
    func without(secretsOf fields: HeaderFields) -> HTTPAnswer {
      let clean = HTTPConfiguration(headers: fields).withoutSecrets(body, [HTTPAddress]())
      return HTTPAnswer(
        status: status, fields: self.fields, body: clean, arrival: arrival,
        responseDelay: responseDelay)
    }
  }

  extension HTTPSource {
    /// Runs a fetch, and repeats all of it as long as the schedule allows. The caller limits the whole time.
    func runRetrying(
      _ plan: FetchPlan, _ progress: FetchProgress
    ) async throws(HTTPFetchError) -> Fetched<[UInt8]> {
      let clock = configuration.clock
      let start = clock.reading().sinceBoot
      var schedule = RetrySchedule(configuration.retries)
      while true {
        do throws(HTTPFetchError) {
          return try await run(plan, progress)
        } catch {
          let spent = Duration.milliseconds(clock.reading().sinceBoot - start)
          guard !transport.hasEnded,
            let pause = schedule.pause(after: error, within: configuration.timeout - spent)
          else { throw error }
          do {
            try await clock.sleep(for: pause)
          } catch {
            // A clock throws only when the task is cancelled.
            throw .cancelled(progress.address.redacted)
          }
        }
      }
    }
  }
#endif

/// Decides whether a failed fetch is repeated, and after which wait.
struct RetrySchedule {
  private var attemptsLeft: Int
  private var wait = Duration.seconds(1)
  /// Returns a number from 0 up to 1, so that the waits of many clients do not end at the same moment.
  private let random: @Sendable () -> Double

  init(_ attempts: Int, random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }) {
    attemptsLeft = attempts
    self.random = random
  }

  /// The wait before the next attempt; `nil` when the failure stands. It stands if it would not pass, was the
  /// last one allowed, or leaves no time for another attempt.
  mutating func pause(after failure: HTTPFetchError, within left: Duration) -> Duration? {
    guard attemptsLeft > 0, failure.isTransient else { return nil }
    // A source that asks for no pause gets one all the same.
    let pause = max(failure.retryAfter ?? .zero, wait * (1 - random() / 2))
    guard pause < left else { return nil }
    attemptsLeft -= 1
    wait = min(wait * 2, Self.longestWait)
    return pause
  }

  private static let longestWait = Duration.seconds(600)
}

extension HTTPFetchError {
  /// True when the same request may succeed a moment later. A time-out is then one of connecting: a fetch has
  /// no time left after its own time-out.
  fileprivate var isTransient: Bool {
    switch self {
    case .timedOut, .unreachable, .transport: true
    case .status(let status, _, _, _): Self.transientStatuses.contains(status)
    default: false
    }
  }

  private static let transientStatuses: Set = [408, 429, 500, 502, 503, 504]
}

/// The progress of a fetch, or of a push, which may be abandoned at any time.
final class FetchProgress: Sendable {
  private struct State {
    var address: HTTPAddress
    var awaitsCredentials = false
  }

  private let state: Mutex<State>

  init(_ first: HTTPAddress) { state = Mutex(State(address: first)) }

  /// The address that was requested last.
  var address: HTTPAddress { state.withLock(\.address) }

  /// True while it waits for the application to issue or renew credentials. That time is not the origin's silence.
  var awaitsCredentials: Bool { state.withLock(\.awaitsCredentials) }

  /// Notes an address that is about to be requested.
  func note(_ address: HTTPAddress) { state.withLock { $0.address = address } }

  /// Waits for credentials.
  func awaitingCredentials<Result>(
    _ work: () async throws(HTTPFetchError) -> Result
  ) async throws(HTTPFetchError) -> Result {
    state.withLock { $0.awaitsCredentials = true }
    defer { state.withLock { $0.awaitsCredentials = false } }
    return try await work()
  }
}
