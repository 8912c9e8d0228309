#if CommandLine
  import OriginServer
  import Synchronization

  /// A server of values that applies each write once: it remembers its answers by their idempotency
  /// keys, and answers a repeat from memory.
  final class RememberingOrigin: Sendable {
    private struct State {
      var versions: [String: Int] = [:]
      var answers: [String: Int] = [:]
      var applied: [String: [String]] = [:]
      var requests = 0
      var awaited: (request: Int, isAnswered: Bool, arrival: OneShotSignal)?
    }

    private let state = Mutex(State())

    /// The values that each path received, in order.
    var applied: [String: [String]] { state.withLock(\.applied) }

    /// The number of writes under a known key.
    var repeats: Int { state.withLock { $0.requests - $0.answers.count } }

    /// Fires after this many more requests; the last of them may be left without an answer.
    func arrival(ofRequest number: Int, isAnswered: Bool) -> OneShotSignal {
      let arrival = OneShotSignal()
      state.withLock { $0.awaited = ($0.requests + number, isAnswered, arrival) }
      return arrival
    }

    func answer(_ request: OriginServer.Request) -> OriginServer.Response {
      state.withLock { state in
        let answer = Self.answer(request, &state)
        state.requests += 1
        guard let awaited = state.awaited, state.requests == awaited.request else { return answer }
        awaited.arrival.fire()
        // A gate that is never opened: the client goes away.
        return awaited.isAnswered ? answer : .init(raw: [.wait(Gate())])
      }
    }

    private static func answer(
      _ request: OriginServer.Request, _ state: inout State
    ) -> OriginServer.Response {
      guard request.method == "PUT", let key = request["Idempotency-Key"] else { return .init(405) }
      if let version = state.answers[key] { return .init(204, ["ETag": "\"\(version)\""]) }
      let present = state.versions[request.path]
      guard request["If-Match"] == present.map({ "\"\($0)\"" }) else { return .init(412) }
      let version = (present ?? 0) + 1
      state.versions[request.path] = version
      state.answers[key] = version
      state.applied[request.path, default: []].append(String(decoding: request.body, as: UTF8.self))
      return .init(204, ["ETag": "\"\(version)\""])
    }
  }
#endif
