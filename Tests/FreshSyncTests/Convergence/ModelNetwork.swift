import FreshStore
import FreshStoreTesting
import Synchronization

/// The network between the devices and the server: it loses and delays requests and answers.
final class ModelNetwork: Sendable {
  /// The possible events on the network, in percent.
  struct Weather {
    var losesRequest = 0
    var losesAnswer = 0
    var refuses = 0
    var holds = 0
  }

  private enum Luck {
    case whole
    case requestLost
    case answerLost
    case refused
    case heldBefore
    case heldAfter
  }

  private struct State {
    var generator: SeededGenerator
    var weather = Weather()
    var log: [String] = []
  }

  let server: ModelServer
  private let scenario: Scenario
  private let withValues: Bool
  private let state: Mutex<State>

  init(_ server: ModelServer, _ scenario: Scenario, seed: UInt64, listsValues: Bool) {
    self.server = server
    self.scenario = scenario
    withValues = listsValues
    state = Mutex(State(generator: SeededGenerator(seed: seed)))
  }

  func set(_ weather: Weather) { state.withLock { $0.weather = weather } }

  /// The writes sent since the last call, and their results.
  func takeLog() -> [String] {
    state.withLock { state in
      defer { state.log = [] }
      return state.log
    }
  }

  // MARK: Requests

  /// Sends a write; only one with a flight can be delayed.
  func push(
    _ write: PendingWrite<[String]>, from account: Account, over flight: Flight?
  ) async throws -> Pushed<[String]> {
    account.noteSent(write)
    let luck = luck(mayHold: flight != nil, mayRefuse: true)
    note("\(account.device) sends \(Self.words(of: write)): \(luck)")
    if scenario.trouble == .failure, write.key == scenario.stuckKey { throw SourceRefusal() }
    switch luck {
    case .requestLost: throw SourceRefusal()
    case .refused: return .refused("no")
    case .answerLost:
      _ = server.apply(write, from: account.device)
      throw SourceRefusal()
    case .heldBefore:
      try await flight?.hold { [server] in Self.deliver(write, from: account, to: server) }
      guard Self.mayArrive(write, from: account, at: server) else { throw SourceRefusal() }
    case .whole, .heldAfter: break
    }
    let answer = server.apply(write, from: account.device)
    if luck == .heldAfter { try await flight?.hold() }
    return pushed(answer, write, account)
  }

  /// A request that arrives when nobody waits for its answer.
  private static func deliver(
    _ write: PendingWrite<[String]>, from account: Account, to server: ModelServer
  ) {
    guard isDistinct(write, from: account) else { return }
    _ = server.apply(write, from: account.device)
  }

  /// Whether a delayed request arrives: by its idempotency key a server recognizes it in any case.
  private static func mayArrive(
    _ write: PendingWrite<[String]>, from account: Account, at server: ModelServer
  ) -> Bool {
    server.knowsIdempotencyKeys || isDistinct(write, from: account)
  }

  /// False for a write without a condition that the device has settled since: no server could distinguish
  /// it from a new one.
  private static func isDistinct(_ write: PendingWrite<[String]>, from account: Account) -> Bool {
    let line = account.lines.first { $0.idempotencyKey == write.idempotencyKey }
    return line?.fate == .waiting || write.baseValidators.entityTag != nil
  }

  private func pushed(
    _ answer: ModelServer.Answer, _ write: PendingWrite<[String]>, _ account: Account
  ) -> Pushed<[String]> {
    switch answer {
    case .conflict(let version):
      account.noteAnswer(to: write, version, isConflict: true)
      return .conflict(version?.fetched ?? .gone)
    case .taken(let version):
      account.noteAnswer(to: write, version, isConflict: false)
      guard let words = version.words else { return .accepted }
      let shows = words != write.value || state.withLock { Bool.random(using: &$0.generator) }
      return shows ? .acceptedAs(words, version.details) : .accepted(version.details)
    }
  }

  func fetch(
    _ previous: Previous<[String]>, over flight: Flight?
  ) async throws -> Fetched<[String]> {
    try await read("get \(previous.key)", over: flight) { server.fetch(previous) }
  }

  func list(
    _ previous: PreviousList, over flight: Flight?
  ) async throws -> SourceListChange<[String]> {
    let forgets = state.withLock { Int.random(in: 0..<100, using: &$0.generator) < 5 }
    if previous.cursor != nil, forgets { return .expiredCursor }
    return try await read("list since \(previous.cursor ?? "ever")", over: flight) {
      server.list(previous, withValues: withValues)
    }
  }

  private func read<Answer>(
    _ words: String, over flight: Flight?, _ answer: () -> Answer
  ) async throws -> Answer {
    let luck = luck(mayHold: flight != nil, mayRefuse: false)
    note("\(words) \(luck)")
    switch luck {
    case .requestLost, .answerLost, .refused: throw SourceRefusal()
    case .whole: return answer()
    case .heldBefore:
      try await flight?.hold()
      return answer()
    case .heldAfter:
      let answer = answer()
      try await flight?.hold()
      return answer
    }
  }

  /// Delays a merge, now and then or always.
  func rest(_ flight: Flight) async throws {
    let isSlow = state.withLock { state in
      Int.random(in: 0..<100, using: &state.generator) < state.weather.holds
    }
    if isSlow || scenario.mergesSlowly { try await flight.hold() }
  }

  private func luck(mayHold: Bool, mayRefuse: Bool) -> Luck {
    state.withLock { state in
      let weather = state.weather
      var left = Int.random(in: 0..<100, using: &state.generator)
      func takes(_ share: Int) -> Bool {
        left -= share
        return left < 0
      }
      if takes(weather.losesRequest) { return .requestLost }
      if takes(weather.losesAnswer) { return .answerLost }
      if takes(weather.refuses) { return mayRefuse ? .refused : .whole }
      guard takes(weather.holds), mayHold else { return .whole }
      return Bool.random(using: &state.generator) ? .heldBefore : .heldAfter
    }
  }

  private func note(_ words: String) { state.withLock { $0.log.append(words) } }

  private static func words(of write: PendingWrite<[String]>) -> String {
    let kind =
      switch write.kind {
      case .create: "create"
      case .replace: "replace"
      case .patch: "patch"
      case .delete: "delete"
      }
    return "\(kind) \(write.key) \(write.value ?? []) if \(write.baseValidators.entityTag ?? "-")"
  }
}
