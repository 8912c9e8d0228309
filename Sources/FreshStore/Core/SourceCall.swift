internal import Strategies

/// One call of a source: the part that gets, lists, pushes and forwarded requests have in common.
///
/// Each of them goes in this order:
///
/// 1. *Admission.* ``refusal(for:isNoted:)`` says whether the source may be asked now: by the route, the evidence of
///    earlier calls, the pauses, a hold, the breaker and its trials.
/// 2. *Numbers and leases.* The caller draws a number before the source is asked, so that later marks, puts and wipes
///    win, and takes its leases; in a fleet a claim follows.
/// 3. *The call.* ``run(reporting:excusing:_:)`` asks under a deadline, and notes what the answer says of the route and
///    of who is signed in. ``renewing(_:)`` keeps the leases meanwhile. No transaction is open.
/// 4. *Landing.* The caller stores the answer under its leases, in one transaction with what the breaker counts.
/// 5. *News.* The fleet hears of the origin, the waiting callers get the answer, and the leases end; where the disk has
///    failed they are owed (``UnreturnedClaims``).
struct SourceCall: Sendable {
  let source: SourceAdmission
  /// The longest that the source may take.
  let limit: Duration
  /// The word for the work in a message.
  var name = "fetch"
  /// False for a call without credentials of its own, whose origin is never held because of them.
  var signsIn = true
  /// Renewed during the call.
  var leases: [Lease] = []
  /// Renewed during the call, too.
  var part = FleetPart.none

  private var store: Store { source.store }

  /// - Parameter limit: In place of the policy's ``Policy/hardTimeout``.
  init(
    of collection: String, in store: Store, by policy: Policy, atMost limit: Duration? = nil
  ) {
    source = SourceAdmission(store: store, collection: collection, policy: policy)
    self.limit = limit ?? policy.hardTimeout
  }

  // MARK: Admission

  /// The reason why the source must not be asked now; `nil` when it may be.
  ///
  /// - Parameter isNoted: False where the attempt cannot be noted in the file.
  func refusal(
    for request: SourceAdmission.Request = .init(), isNoted: Bool = true
  ) async -> FetchFailure? {
    do throws(StoreError) {
      let obstacle =
        isNoted ? try await source.admit(request) : try source.admitUnnoted(request)
      return obstacle?.failure
    } catch {
      // A breaker that cannot be read must not block the source.
      store.report(.notStored(error))
      return nil
    }
  }

  // MARK: The call

  /// Renews the leases while `body` asks the source and admits its answer: rules may take their time, too.
  func renewing<Value>(_ body: () async -> Value) async -> Value {
    let keeper = LeaseKeeper(leases, part, in: store)
    defer { keeper.cancel() }
    return await body()
  }

  /// Asks the source.
  ///
  /// - Parameters:
  ///   - keys: The keys for the store's reporter; `nil` to report nothing.
  ///   - excuse: Called when the time is over; returns the failure of this process in which the source has no part.
  func run<Answer: Sendable>(
    reporting keys: [String]? = nil, excusing excuse: () -> (any FetchErrorTraits)? = { nil },
    _ ask: @escaping @Sendable () async throws -> Answer
  ) async -> SourceAttempt<Answer> {
    let clock = store.configuration.clock
    if let keys { store.report(.fetchBegan(collection: source.collection, keys: keys)) }
    let asked = store.now()
    let result = await store.watched(source.route, signsIn: signsIn) {
      let result = await Deadline.run(limit, clock: clock, naming: name, ask)
      guard case .failure(let failure) = result, case .timedOut = failure.code,
        let error = excuse()
      else { return result }
      return .failure(FetchFailure(.thrown, "the \(name) failed: \(error)", underlying: error))
    }
    let attempt = SourceAttempt(result: result, asked: asked, answered: store.now())
    if let keys {
      store.report(
        .fetchEnded(
          collection: source.collection, keys: keys, duration: attempt.duration,
          failure: attempt.failure))
    }
    return attempt
  }
}

/// The result of a call, and the times of request and answer.
struct SourceAttempt<Answer: Sendable>: Sendable {
  var result: Result<Answer, FetchFailure>
  let asked: ClockReading
  let answered: ClockReading

  /// The time that the source took.
  var duration: Duration { .milliseconds(answered.sinceBoot - asked.sinceBoot) }

  var failure: FetchFailure? {
    if case .failure(let failure) = result { failure } else { nil }
  }

  /// The moment as of which the answer is known.
  func known(by base: Policy.AgeBase) -> ClockReading { base == .request ? asked : answered }
}
