/// The way to a server that judges values: one address, asked by POST.
///
/// A transport sends the body as `application/json` and accepts `application/json`. It ends soon
/// after its task was cancelled: time limits rest on that.
public protocol RemoteRuleTransport: Sendable {
  /// Sends a question and returns the answer, whatever its status. Throws when there is none.
  func answer(to body: [UInt8]) async throws -> RemoteAnswer
}
