import Rules

/// A transport whose answers the test gives.
struct ScriptedServer: RemoteRuleTransport {
  let reply: @Sendable (String) async throws -> RemoteAnswer

  init(_ reply: @escaping @Sendable (String) async throws -> RemoteAnswer) {
    self.reply = reply
  }

  init(_ status: Int, _ body: String) {
    reply = { _ in RemoteAnswer(status: status, body: Array(body.utf8)) }
  }

  func answer(to body: [UInt8]) async throws -> RemoteAnswer {
    try await reply(String(decoding: body, as: UTF8.self))
  }
}
