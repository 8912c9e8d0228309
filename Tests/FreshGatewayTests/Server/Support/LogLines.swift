internal import Synchronization

@testable import FreshGateway

/// The lines of a log; all of them once the gateway has ended.
final class LogLines: Sendable {
  private let bytes = Mutex<[UInt8]>([])

  func accessLog(_ form: AccessLog.Form) -> AccessLog {
    AccessLog(form) { [self] lines in
      bytes.withLock { $0 += lines }
      return true
    }
  }

  var lines: [String] {
    let text = bytes.withLock { String(decoding: $0, as: UTF8.self) }
    return text.split(separator: "\n").map(String.init)
  }
}
