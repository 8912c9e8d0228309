#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A rule that a server decides.
///
/// The request's body is a JSON object of the value, `instance`, and of `extra` where there is any; `nil` is sent
/// as the empty text. A status from 200 to 299 is a verdict. A body of exactly `true`, without even a trailing line
/// break, means kept; any other body means broken, with the issue `remote`. Everything else is no answer: another
/// status, a failed connection, a timeout, a value that JSON cannot hold.
///
/// ```swift
/// let isFree = RemoteRule<String>(via: transport, extra: ["locale": "nl"])
/// let form = Form(
///   Entry(), fields: [FormField(\.name, "name", .notBlank, asking: isFree.async)],
///   debounce: .milliseconds(300))
/// ```
///
/// It keeps no state between requests. In a ``Form`` only the answer to the latest value counts. The form's states
/// tell whether that answer is pending, has arrived, or has failed.
public struct RemoteRule<Value: Encodable & Sendable>: Sendable {
  /// The outcome when the server does not answer.
  public enum Unanswered: String, Sendable, Hashable, CaseIterable {
    /// The rule is undecided.
    case undecided
    /// The value breaks the rule, with the issue `remote-unanswered`.
    case broken
  }

  private let transport: any RemoteRuleTransport
  private let extra: (any Encodable & Sendable)?
  private let unanswered: Unanswered
  private let timeout: Duration
  private let clock: any Clock<Duration>

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - extra: Further data for the server.
  ///   - timeout: The longest time to wait for a response.
  ///   - clock: The clock that measures that time.
  public init(
    via transport: any RemoteRuleTransport, extra: (any Encodable & Sendable)? = nil,
    unanswered: Unanswered = .undecided, timeout: Duration = .seconds(60),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.transport = transport
    self.extra = extra
    self.unanswered = unanswered
    self.timeout = timeout
    self.clock = clock
  }

  /// The rule as an asynchronous one.
  public var async: AsyncRule<Value> {
    AsyncRule { value, findings in await apply(to: value, extra, &findings) }
  }

  /// Asks about a value, with an `extra` for this call.
  public func check(
    _ value: Value, extra: (any Encodable & Sendable)? = nil
  ) async -> Report {
    var findings = Findings()
    let outcome = await apply(to: value, extra ?? self.extra, &findings)
    return findings.report(outcome)
  }

  private func apply(
    to value: Value, _ extra: (any Encodable & Sendable)?, _ findings: inout Findings
  ) async -> Outcome {
    do {
      let body = try RemoteRequest(instance: value, extra: extra).encoded()
      let answer = try await answer(to: body)
      guard (200..<300).contains(answer.status) else {
        return leave("the server answered with status \(answer.status)", &findings)
      }
      return answer.body.elementsEqual("true".utf8) ? .passed : findings.fail(Issue("remote"))
    } catch {
      return leave(Self.words(error), &findings)
    }
  }

  private func leave(_ reason: String, _ findings: inout Findings) -> Outcome {
    switch unanswered {
    case .undecided: findings.leaveUndecided(reason)
    case .broken:
      findings.fail(Issue("remote-unanswered", parameters: ["reason": .text(reason)]))
    }
  }

  /// The answer or the timeout error: the first ends the wait, and the other task is cancelled.
  private func answer(to body: [UInt8]) async throws -> RemoteAnswer {
    try await withThrowingTaskGroup(of: RemoteAnswer.self) { group in
      group.addTask { [transport] in try await transport.answer(to: body) }
      group.addTask { [clock, timeout] in
        try await clock.sleep(for: timeout)
        throw RemoteTimeout(limit: timeout)
      }
      defer { group.cancelAll() }
      guard let first = try await group.next() else { throw CancellationError() }
      return first
    }
  }

  private static func words(_ error: any Error) -> String {
    error is CancellationError ? "the question was cancelled" : String(describing: error)
  }
}

/// The transport to a server that judges values: one address, called by POST.
///
/// A transport sends the body as `application/json` and accepts `application/json`. It must return soon after its
/// task is cancelled, because time limits depend on that.
public protocol RemoteRuleTransport: Sendable {
  /// Sends a request and returns the answer of any status. Throws when there is none.
  func answer(to body: [UInt8]) async throws -> RemoteAnswer
}

/// The answer of a server that judges values.
public struct RemoteAnswer: Sendable, Hashable {
  /// The HTTP status.
  public var status: Int
  /// The body; a long body may be cut after its first bytes.
  public var body: [UInt8]

  /// Creates an answer.
  public init(status: Int, body: [UInt8]) {
    self.status = status
    self.body = body
  }
}

/// The body of a request to a server that judges values.
struct RemoteRequest: Encodable {
  private enum CodingKeys: String, CodingKey {
    case instance, extra
  }

  let instance: any Encodable
  let extra: (any Encodable)?

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if let optional = instance as? any OptionalInstance, optional.isNone {
      try container.encode("", forKey: .instance)
    } else {
      try container.encode(instance, forKey: .instance)
    }
    if let extra { try container.encode(extra, forKey: .extra) }
  }

  func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(self))
  }
}

/// A value that may be `nil`.
private protocol OptionalInstance {
  var isNone: Bool { get }
}

extension Optional: OptionalInstance {
  fileprivate var isNone: Bool { if case .none = self { true } else { false } }
}

/// The error when no answer came in time.
struct RemoteTimeout: Error, CustomStringConvertible {
  let limit: Duration

  var description: String { "the server did not answer within \(limit)" }
}
