internal import Synchronization

/// The credentials of an account, asked for before each request, and renewed when an origin refuses them.
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
/// An answer with status 401 is taken for a refusal of the credentials (RFC 9110 section 15.5.2): they are
/// renewed once for all requests that were sent with them and wait, and each is sent once more. A request
/// that is refused after others have renewed them is only sent again. A second 401 is a failure like any
/// other status. Neither closure is called for an address that a redirect to another origin has led to.
///
/// A ``SignedOut`` that a closure throws becomes ``HTTPFetchError/signedOut(_:)``: where the policy names
/// the origin, its work is held until the application says that somebody has signed in
/// (`Store.endPause(origin:)`). No other error of a closure is repeated in a message, as it may quote a
/// secret; it is the failure ``HTTPFetchError/credentials(_:description:)``, and not the origin's.
///
/// Share one value among the sources of an account. It keeps no credentials itself.
public final class Credentials: Sendable {
  /// The name that tells the account from others, and stays the same when its credentials are renewed: a
  /// copy answers requests of the account that it was fetched for. Only a fingerprint of it is stored.
  public let account: String

  private let fields: @Sendable (_ address: String) async throws -> HeaderFields
  private let renewal: (@Sendable () async throws -> Void)?
  private let state = Mutex(State())

  private struct State {
    /// The number of renewals so far.
    var generation = 0
    /// The renewal under way.
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
    var task: Task<Void, Never>?
    /// The requests that wait for it.
    var waiters: [Int: AsyncStream<Result<Void, any Error>>.Continuation] = [:]
  }

  /// Fields that were handed out for one request.
  struct Given {
    let fields: HeaderFields
    /// The number of renewals before.
    let generation: Int
  }

  /// Creates the credentials of an account; calls nothing.
  ///
  /// Each closure runs in a task of its own, which is cancelled when nobody waits for it any more.
  ///
  /// - Parameters:
  ///   - headers: The fields for a request to an address, such as `Authorization`; they replace those of
  ///     ``HTTPConfiguration/headers``. Called for every request, so keep it short: read a token that is
  ///     kept elsewhere. Fields that select a variant, such as `Accept-Language`, do not belong here.
  ///   - renew: Renews what `headers` hands out. At most one call is under way. Without it a 401 is a
  ///     failure like any other status.
  public init(
    account: String,
    headers: @escaping @Sendable (_ address: String) async throws -> HeaderFields,
    renew: (@Sendable () async throws -> Void)? = nil
  ) {
    self.account = account
    fields = headers
    renewal = renew
  }

  /// True when a refusal may be met by a renewal.
  var canRenew: Bool { renewal != nil }

  /// The fields for a request.
  func given(for address: HTTPAddress) async throws(HTTPFetchError) -> Given {
    // Before the closure is called: what it returns is of this renewal, or of a later one.
    let generation = state.withLock(\.generation)
    let (fields, text) = (fields, address.text)
    let result = await Self.result { try await fields(text) }
    return Given(
      fields: try Self.unwrapped(result, for: address), generation: generation)
  }

  /// Renews credentials that an origin has refused, unless they were renewed since they were handed out.
  func renew(_ refused: Given, for address: HTTPAddress) async throws(HTTPFetchError) {
    guard let renewal else { return }
    let (stream, continuation) = AsyncStream<Result<Void, any Error>>.makeStream()
    let place = state.withLock { state -> (renewal: Int, waiter: Int)? in
      guard state.generation == refused.generation else { return nil }
      var current = state.renewal ?? begin(renewal, number: state.number())
      let waiter = state.number()
      current.waiters[waiter] = continuation
      state.renewal = current
      return (current.number, waiter)
    }
    guard let place else { return }
    var result: Result<Void, any Error>?
    for await end in stream { result = end }
    if result == nil { leave(place.renewal, place.waiter) }
    try Self.unwrapped(result, for: address)
  }

  /// Begins in a task of its own: the others go on waiting when the first request is given up.
  private func begin(
    _ renewal: @escaping @Sendable () async throws -> Void, number: Int
  ) -> Renewal {
    Renewal(number: number, task: Task { await run(renewal, number) })
  }

  /// A request that waited has gone; with the last one the renewal ends.
  private func leave(_ number: Int, _ waiter: Int) {
    let task = state.withLock { state -> Task<Void, Never>? in
      guard state.renewal?.number == number else { return nil }
      state.renewal?.waiters[waiter] = nil
      guard let renewal = state.renewal, renewal.waiters.isEmpty else { return nil }
      state.renewal = nil
      return renewal.task
    }
    task?.cancel()
  }

  private func run(_ renewal: @Sendable () async throws -> Void, _ number: Int) async {
    let result: Result<Void, any Error>
    do {
      result = .success(try await renewal())
    } catch {
      result = .failure(error)
    }
    let waiters = state.withLock { state in
      if case .success = result { state.generation += 1 }
      // One that nobody waits for any more has made room for another.
      guard let current = state.renewal, current.number == number else {
        return [Int: AsyncStream<Result<Void, any Error>>.Continuation]()
      }
      state.renewal = nil
      return current.waiters
    }
    for waiter in waiters.values {
      waiter.yield(result)
      waiter.finish()
    }
  }

  /// The result of a closure of the application, which may ignore cancellation; `nil` when this task was
  /// cancelled first.
  private static func result<Value: Sendable>(
    of work: @escaping @Sendable () async throws -> Value
  ) async -> Result<Value, any Error>? {
    let (stream, continuation) = AsyncStream<Result<Value, any Error>>.makeStream()
    let task = Task {
      do {
        continuation.yield(.success(try await work()))
      } catch {
        continuation.yield(.failure(error))
      }
      continuation.finish()
    }
    defer { task.cancel() }
    for await result in stream { return result }
    return nil
  }

  /// The value of a closure's result, or the failure of the request.
  private static func unwrapped<Value>(
    _ result: Result<Value, any Error>?, for address: HTTPAddress
  ) throws(HTTPFetchError) -> Value {
    switch result {
    case .success(let value): return value
    case nil, .failure(is CancellationError): throw .cancelled(address.redacted)
    case .failure(is SignedOut): throw .signedOut(address.redacted)
    case .failure(let error as HTTPFetchError): throw error
    case .failure(let error):
      // Its words may quote a token.
      throw .credentials(address.redacted, description: "\(type(of: error))")
    }
  }
}
