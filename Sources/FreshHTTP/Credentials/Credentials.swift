internal import FreshStore
internal import Synchronization

/// The credentials of an account: requested before each request, and renewed when an origin refuses them.
///
/// ```swift
/// let credentials = Credentials(account: "anna") { _ in
///   guard let token = await keychain.token else { throw SignedOut() }
///   return ["Authorization": "Bearer \(token)"]
/// } renew: {
///   try await keychain.renewToken()  // throws SignedOut() where that takes a password
/// }
/// let source = try HTTPSource(HTTPConfiguration(credentials: credentials))
/// ```
///
/// A response with status 401 counts as a refusal of the credentials (RFC 9110 section 15.5.2). They are
/// renewed once for all requests that were sent with them, and each of these is sent once more. A request
/// that is refused after another has renewed them is only sent again. A second 401 is a failure like any
/// other status. Neither closure is called for an address to which a redirect from another origin has led.
///
/// A ``SignedOut`` that a closure throws becomes ``HTTPFetchError/signedOut(_:)``. So does an
/// ``HTTPFetchError/signedOut(_:)`` of a request that the closure makes. If the policy names the origin, its
/// work is then held until the application says that somebody has signed in (`Store.endPause(origin:)`).
///
/// Any other error of a closure is the failure ``HTTPFetchError/credentials(_:description:)``, which does not
/// blame the origin. No message repeats such an error, as it may quote a secret. A closure fails in the same
/// way when it has not returned shortly before the end of its request's time (``HTTPConfiguration/timeout``):
/// a second before, or a tenth of the time where that is less.
///
/// Share one value among the sources of an account. It keeps no credentials itself.
public final class Credentials: Sendable {
  /// The name that tells the account from others. It stays the same when the credentials are renewed: a copy
  /// answers requests of the account for which it was fetched. Only a fingerprint of the name is stored.
  public let account: String

  private let fields: @Sendable (_ address: String) async throws -> HeaderFields
  private let renewal: (@Sendable () async throws -> Void)?
  private let state = Mutex(State())

  private struct State {
    /// The number of renewals so far.
    var generation = 0
    /// The renewal in flight, until its closure has returned, also when no request waits for it.
    var renewal: Renewal?
    /// The number of the next waiter, or renewal.
    var next = 0

    mutating func number() -> Int {
      next += 1
      return next
    }
  }

  private struct Renewal {
    let number: Int
    /// True once its time is up and its waiters were told of the failure.
    var isOverdue = false
    /// The requests that wait for its result, or for its end.
    var waiters: [Int: AsyncStream<RenewalEnd>.Continuation] = [:]
  }

  private enum RenewalEnd: Sendable {
    case result(Result<Void, any Error>)
    /// An overdue renewal has ended. The waiter does not know its result.
    case madeRoom
  }

  /// The renewal took too long.
  private struct RenewalTimeout: Error {}

  /// The time of a renewal.
  static let renewalLimit = Duration.seconds(60)

  /// The fields that were issued for one request.
  struct IssuedFields {
    let fields: HeaderFields
    /// The number of renewals before they were issued.
    let generation: Int
  }

  /// Creates the credentials of an account; calls nothing.
  ///
  /// Each closure runs in a task of its own. The task of `headers` is cancelled when its request is given up.
  /// The task of `renew` is not: a token that can be used only once would be lost with it. It goes on, and
  /// requests that come meanwhile get its result.
  ///
  /// A renewal is cancelled after a minute by the clock of the request that began it. Its waiters then fail
  /// with ``HTTPFetchError/credentials(_:description:)``, and no other renewal begins before it has returned.
  /// Let it obey cancellation, as requests of `URLSession` and of this package do.
  ///
  /// A request that `renew` makes with these credentials gets a 401 unchanged. A request that `headers` makes
  /// with them fails.
  ///
  /// - Parameters:
  ///   - headers: The fields for a request to an address, such as `Authorization`; they replace those of
  ///     ``HTTPConfiguration/headers``. It is called for every request, so keep it short: read a token that
  ///     is kept elsewhere. Fields that select a variant, such as `Accept-Language`, do not belong here.
  ///   - renew: Renews what `headers` returns. At most one call is in flight at any time. Without it a 401 is
  ///     a failure like any other status.
  public init(
    account: String,
    headers: @escaping @Sendable (_ address: String) async throws -> HeaderFields,
    renew: (@Sendable () async throws -> Void)? = nil
  ) {
    self.account = account
    fields = headers
    renewal = renew
  }

  /// The closures in which the present task runs.
  private struct Running {
    var headers: Set<ObjectIdentifier> = []
    var renewals: Set<ObjectIdentifier> = []
  }

  @TaskLocal private static var running = Running()

  /// True when a renewal may follow a refusal. A request of the renewal itself gets the refusal.
  var canRenew: Bool {
    renewal != nil && !Self.running.renewals.contains(ObjectIdentifier(self))
  }

  /// The fields for a request.
  func issuedFields(for address: HTTPAddress) async throws(HTTPFetchError) -> IssuedFields {
    // The generation is read before the call: the fields are of this renewal, or of a later one.
    let generation = state.withLock(\.generation)
    let (fields, text) = (fields, address.text)
    var running = Self.running
    guard running.headers.insert(ObjectIdentifier(self)).inserted else {
      throw .credentials(
        address.redacted, description: "the closure that names them asked through its own source")
    }
    let result = await ForeignWork.result { [running] in
      try await Self.$running.withValue(running) { try await fields(text) }
    }
    return IssuedFields(
      fields: try Self.unwrapped(result, for: address), generation: generation)
  }

  /// Renews credentials that an origin has refused, unless they were renewed after they had been issued.
  func renew(
    _ refused: IssuedFields, for address: HTTPAddress, clock: any StoreClock
  ) async throws(HTTPFetchError) {
    guard let renewal else { return }
    while true {
      let (stream, continuation) = AsyncStream<RenewalEnd>.makeStream()
      let waiter = state.withLock { state -> Int? in
        guard state.generation == refused.generation else { return nil }
        var current = state.renewal ?? begin(renewal, number: state.number(), clock)
        let waiter = state.number()
        current.waiters[waiter] = continuation
        state.renewal = current
        return waiter
      }
      guard let waiter else { return }
      var end: RenewalEnd?
      for await told in stream { end = told }
      switch end {
      case .result(let result): return try Self.unwrapped(result, for: address)
      case .madeRoom: continue
      case nil:
        state.withLock { _ = $0.renewal?.waiters.removeValue(forKey: waiter) }
        throw .cancelled(address.redacted)
      }
    }
  }

  /// Begins a renewal in a task of its own, and limits its time.
  private func begin(
    _ renewal: @escaping @Sendable () async throws -> Void, number: Int, _ clock: any StoreClock
  ) -> Renewal {
    // The end is computed before the renewal begins, so that a manual clock which moves once it has begun ends it.
    let end = Duration.milliseconds(clock.reading().sinceBoot) + Self.renewalLimit
    var running = Self.running
    running.renewals.insert(ObjectIdentifier(self))
    let work = Task { [running] in
      try await Self.$running.withValue(running) { try await renewal() }
    }
    let limit = Task {
      do {
        try await clock.sleep(until: end)
      } catch {
        // The renewal ended first.
        return
      }
      giveUp(number)
      work.cancel()
    }
    Task {
      let result = await work.result
      limit.cancel()
      self.end(number, result)
    }
    return Renewal(number: number)
  }

  /// Tells the waiters of a renewal that its time is up.
  private func giveUp(_ number: Int) {
    let waiters = state.withLock { state -> [Int: AsyncStream<RenewalEnd>.Continuation] in
      guard var current = state.renewal, current.number == number else { return [:] }
      let waiters = current.waiters
      (current.isOverdue, current.waiters) = (true, [:])
      state.renewal = current
      return waiters
    }
    Self.tell(waiters, .result(.failure(RenewalTimeout())))
  }

  private func end(_ number: Int, _ result: Result<Void, any Error>) {
    let ended = state.withLock { state -> Renewal? in
      guard let current = state.renewal, current.number == number else { return nil }
      if case .success = result { state.generation += 1 }
      state.renewal = nil
      return current
    }
    guard let ended else { return }
    Self.tell(ended.waiters, ended.isOverdue ? .madeRoom : .result(result))
  }

  private static func tell(
    _ waiters: [Int: AsyncStream<RenewalEnd>.Continuation], _ end: RenewalEnd
  ) {
    for waiter in waiters.values {
      waiter.yield(end)
      waiter.finish()
    }
  }

  /// The value of a closure's result, or the failure of the request.
  private static func unwrapped<Value>(
    _ result: Result<Value, any Error>?, for address: HTTPAddress
  ) throws(HTTPFetchError) -> Value {
    switch result {
    case .success(let value): return value
    case nil, .failure(is CancellationError): throw .cancelled(address.redacted)
    case .failure(is SignedOut), .failure(HTTPFetchError.signedOut):
      throw .signedOut(address.redacted)
    case .failure(HTTPFetchError.cancelled): throw .cancelled(address.redacted)
    case .failure(let error):
      // The error may quote a token, or the address of the server that issues tokens.
      throw .credentials(address.redacted, description: "\(type(of: error))")
    }
  }
}

/// Nobody is signed in. The closures of ``Credentials`` throw it when the application, or its user, has to
/// sign in before any request.
public struct SignedOut: Error, Sendable, Hashable {
  /// Creates the error.
  public init() {}
}
