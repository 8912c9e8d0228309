#if HTTP
  import OriginServer
  import Synchronization

  /// A server that applies the values it receives, by idempotency key. Now and then it applies
  /// a write and closes the connection without an answer.
  final class PushedValues: Sendable {
    private struct State {
      var tags: [String: Int] = [:]
      var answers: [String: Int] = [:]
      var applied: [String: [String]] = [:]
      var requests = 0
      var wanted: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let state = Mutex(State())

    /// The values each address received, in order.
    var applied: [String: [String]] { state.withLock(\.applied) }

    /// The number of writes under a key that was already applied.
    var repeats: Int { state.withLock { $0.requests - $0.answers.count } }

    func answer(_ request: OriginServer.Request) -> OriginServer.Response {
      let (answer, waiter) = state.withLock { state in
        let answer = Self.answer(request, &state)
        state.requests += 1
        guard let wanted = state.wanted, state.requests >= wanted.count else {
          return (answer, CheckedContinuation<Void, Never>?.none)
        }
        state.wanted = nil
        return (answer, wanted.continuation)
      }
      waiter?.resume()
      return answer
    }

    private static func answer(
      _ request: OriginServer.Request, _ state: inout State
    ) -> OriginServer.Response {
      guard request.method == "PUT", let key = request["Idempotency-Key"] else { return .init(405) }
      if let tag = state.answers[key] { return .init(204, ["ETag": "\"\(tag)\""]) }
      let present = state.tags[request.path]
      if let expected = request["If-Match"], expected != present.map({ "\"\($0)\"" }) {
        return .init(412)
      }
      let tag = (present ?? 0) + 1
      state.tags[request.path] = tag
      state.answers[key] = tag
      state.applied[request.path, default: []].append(String(decoding: request.body, as: UTF8.self))
      guard state.answers.count % 7 != 0 else { return .init(raw: [.close]) }
      return .init(204, ["ETag": "\"\(tag)\""])
    }

    /// Returns after this many more requests.
    func requests(more count: Int) async {
      await withCheckedContinuation { continuation in
        state.withLock { $0.wanted = ($0.requests + count, continuation) }
      }
    }
  }
#endif
