public import FreshStore

/// The course of one request to a ``ScriptedServer``.
public struct ScriptedReply<Answer: Sendable>: Sendable {
  enum Way: Sendable {
    case straight
    case failure(any Error)
    case lost(any Error)
    case held
    case late(Duration, on: any StoreClock)
  }

  let way: Way
  /// Takes the place of the server's own answer.
  let stated: (@Sendable () -> Answer)?

  private init(_ way: Way, stated: (@Sendable () -> Answer)? = nil) {
    self.way = way
    self.stated = stated
  }

  /// The server answers as if there were no script.
  public static var served: ScriptedReply { ScriptedReply(.straight) }

  /// This answer, made when the request arrives. A write that it accepts is stored; any other answer changes nothing.
  public static func answer(
    _ answer: @autoclosure @escaping @Sendable () -> Answer
  ) -> ScriptedReply {
    ScriptedReply(.straight, stated: answer)
  }

  /// The request never arrives: nothing changes.
  public static func failure(_ error: any Error = ScriptedFailure()) -> ScriptedReply {
    ScriptedReply(.failure(error))
  }

  /// The server serves the request, and its answer never arrives.
  public static func lost(_ error: any Error = ScriptedFailure()) -> ScriptedReply {
    ScriptedReply(.lost(error))
  }

  /// The request hangs before it arrives, until ``ScriptedServer/release()``. It then arrives even if its sender has
  /// given up meanwhile, as happens on a network.
  public static var held: ScriptedReply { ScriptedReply(.held) }

  /// The server serves the request at once, and its answer takes that long.
  public static func late(by delay: Duration, on clock: any StoreClock) -> ScriptedReply {
    ScriptedReply(.late(delay, on: clock))
  }
}

extension ScriptedReply {
  var isHeld: Bool { if case .held = way { true } else { false } }

  /// The end of a late answer's delay, on the boot clock of its clock, if its request begins now.
  var arrival: Duration? {
    guard case .late(let delay, let clock) = way else { return nil }
    return .milliseconds(clock.reading().sinceBoot) + delay
  }
}

/// The failure of a request to a ``ScriptedServer``.
public struct ScriptedFailure: FetchErrorTraits, Hashable, CustomStringConvertible {
  /// The failure in words.
  public let description: String
  /// True when it concerns the whole origin.
  public let blamesOrigin: Bool
  /// True when no server answered, so that the route is suspected.
  public let isUnreachable: Bool
  /// The pause that the server asks for.
  public let retryAfter: Duration?

  /// Creates a failure: by default a broken connection.
  public init(
    _ description: String = "the connection broke", blamesOrigin: Bool = true,
    isUnreachable: Bool = false, retryAfter: Duration? = nil
  ) {
    self.description = description
    self.blamesOrigin = blamesOrigin
    self.isUnreachable = isUnreachable
    self.retryAfter = retryAfter
  }
}

/// The replies of a script that no request has got yet.
struct Replies<Answer: Sendable>: Sendable {
  private var byName: [ExactName: [ScriptedReply<Answer>]] = [:]
  private var toAnybody: [ScriptedReply<Answer>] = []

  /// Adds replies to the requests for a key or a list, or to any request.
  mutating func add(_ replies: [ScriptedReply<Answer>], for name: String?) {
    if let name { byName[name, default: []] += replies } else { toAnybody += replies }
  }

  /// The reply to the next request for a key or a list. Its own replies go before those for any request.
  mutating func take(for name: String) -> ScriptedReply<Answer> {
    if var own = byName[name], !own.isEmpty {
      let reply = own.removeFirst()
      byName[name] = own
      return reply
    }
    return toAnybody.isEmpty ? .served : toAnybody.removeFirst()
  }
}
