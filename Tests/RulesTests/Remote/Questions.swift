import Rules
import Synchronization

/// The questions that a transport received, in order.
final class Questions: Sendable {
  private let all = Mutex<[String]>([])

  var texts: [String] { all.withLock { $0 } }

  /// A server that records its questions and agrees.
  var server: ScriptedServer {
    ScriptedServer { [self] body in
      all.withLock { $0.append(body) }
      return RemoteAnswer(status: 200, body: Array("true".utf8))
    }
  }
}
