/// The transport to a server that judges values: one address, called by POST.
///
/// A transport sends the body as `application/json` and accepts `application/json`. It returns soon
/// after its task is cancelled: time limits depend on that.
public protocol RemoteRuleTransport: Sendable {
  /// Sends a question and returns the answer, whatever its status. Throws when there is none.
  func answer(to body: [UInt8]) async throws -> RemoteAnswer
}
