internal import Synchronization

/// Local writes that go to their source in one request.
///
/// Each write is begun, resolved and settled on its own; only the request is shared. The request begins when every
/// member has reached it or has ended without it. So a superseded member keeps no other member waiting.
final class PushBatch<Value: Sendable>: Sendable {
  typealias Push = @Sendable ([PendingWrite<Value>]) async throws -> [String: Pushed<Value>]

  private struct Waiting {
    let write: PendingWrite<Value>
    let continuation: CheckedContinuation<Pushed<Value>, any Error>
  }

  private struct State {
    /// The number of members that have neither reached the request nor ended.
    var missing: Int
    var waiting: [Int: Waiting] = [:]
    var request: Task<Void, Never>?
  }

  private let push: Push
  private let state: Mutex<State>
  private let hasBlamed = Atomic<Bool>(false)

  init(members: Int, push: @escaping Push) {
    self.push = push
    state = Mutex(State(missing: members))
  }

  /// One write of the batch.
  final class Member: Sendable {
    private let batch: PushBatch
    private let number: Int
    private let hasArrived = Atomic<Bool>(false)

    init(_ number: Int, of batch: PushBatch) {
      (self.number, self.batch) = (number, batch)
    }

    /// Sends the write together with the other members. After a merge, it sends the write again by itself.
    func push(_ write: PendingWrite<Value>) async throws -> Pushed<Value> {
      guard !hasArrived.exchange(true, ordering: .acquiringAndReleasing) else {
        return try await PushBatch.answer(to: write, in: batch.push([write]))
      }
      return try await batch.arrive(write, number)
    }

    /// Notes that the write has ended, with or without the request.
    func end() {
      if !hasArrived.exchange(true, ordering: .acquiringAndReleasing) { batch.leave() }
    }
  }

  /// True only once: a failed request is one failure of its origin, however many writes are in it.
  func blames() -> Bool { !hasBlamed.exchange(true, ordering: .acquiringAndReleasing) }

  private static func answer(
    to write: PendingWrite<Value>, in answers: [String: Pushed<Value>]
  ) throws -> Pushed<Value> {
    guard let answer = answers[write.key] else { throw MissingAnswer(key: write.key) }
    return answer
  }

  private func arrive(
    _ write: PendingWrite<Value>, _ number: Int
  ) async throws -> Pushed<Value> {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = state.withLock { state in
          guard !Task.isCancelled else { return true }
          state.waiting[number] = Waiting(write: write, continuation: continuation)
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
        leave()
      }
    } onCancel: {
      abandon(number)
    }
  }

  /// Stops waiting for a member; the request begins after the last member.
  private func leave() {
    let writes = state.withLock { state -> [PendingWrite<Value>] in
      state.missing -= 1
      guard state.missing == 0, !state.waiting.isEmpty else { return [] }
      return state.waiting.sorted { $0.key < $1.key }.map(\.value.write)
    }
    guard !writes.isEmpty else { return }
    let request = Task {
      do {
        let answers = try await push(writes)
        tell(.success(answers))
      } catch {
        tell(.failure(error))
      }
    }
    let isAbandoned = state.withLock { state in
      state.request = request
      return state.waiting.isEmpty
    }
    if isAbandoned { request.cancel() }
  }

  private func tell(_ result: Result<[String: Pushed<Value>], any Error>) {
    let waiting = state.withLock { state in
      defer { state.waiting = [:] }
      return state.waiting.sorted { $0.key < $1.key }.map(\.value)
    }
    for member in waiting {
      member.continuation.resume(
        with: Result { try Self.answer(to: member.write, in: try result.get()) })
    }
  }

  /// Ends a member whose time is over; the request ends with the last member.
  private func abandon(_ number: Int) {
    let (left, request) = state.withLock { state in
      let left = state.waiting.removeValue(forKey: number)
      return (left, state.waiting.isEmpty && state.missing == 0 ? state.request : nil)
    }
    left?.continuation.resume(throwing: CancellationError())
    request?.cancel()
  }
}

/// The failure of a write that the answer to a request of many writes does not name.
private struct MissingAnswer: FetchErrorTraits, CustomStringConvertible {
  let key: String

  var blamesOrigin: Bool { false }
  var retryAfter: Duration? { nil }
  var description: String { "the answer names no outcome for the key '\(key)'" }
}
