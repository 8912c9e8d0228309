internal import FreshHTTP
internal import Strategies

/// One request, as the log tells of it.
struct AccessEntry: Sendable {
  var peer: String
  var at: Timestamp
  var method: String
  var target: String
  var version: IncomingRequest.Version
  var status: Int
  /// The bytes of the content that was sent.
  var length: Int
  var duration: Duration
  /// The member of `Cache-Status` that this gateway has added.
  var decision: String?
  /// True when the client left, or was cut off, before it had all of the answer; with the status 499 before it had any.
  var hasLeft = false

  /// The bytes that it takes in memory, about.
  var size: Int {
    256 + peer.utf8.count + method.utf8.count + target.utf8.count + (decision?.utf8.count ?? 0)
  }

  /// The common log format of the first web servers, with the decision and the seconds behind it, and `left`
  /// where the client did.
  var common: String {
    // `Sun, 06 Nov 1994 08:49:37 GMT`
    let words = HTTPDate.format(at).split(separator: " ")
    let date = words[1...3].joined(separator: "/")
    let request = Self.escaped("\(method) \(target) \(Self.name(version))")
    return "\(peer) - - [\(date):\(words[4]) +0000] \"\(request)\" \(status) \(length) "
      + "\"\(Self.escaped(decision ?? "-"))\" \(seconds)\(hasLeft ? " left" : "")"
  }

  var json: String {
    var fields: [(String, String)] = [
      ("time", "\"\(HTTPDate.format(at))\""), ("peer", "\"\(Self.escaped(peer))\""),
      ("method", "\"\(Self.escaped(method))\""), ("target", "\"\(Self.escaped(target))\""),
      ("version", "\"\(Self.name(version))\""), ("status", "\(status)"), ("bytes", "\(length)"),
      ("seconds", seconds), ("cache", decision.map { "\"\(Self.escaped($0))\"" } ?? "null"),
    ]
    if hasLeft { fields.append(("left", "true")) }
    return "{" + fields.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }

  private var seconds: String {
    let microseconds = duration / .microseconds(1)
    let whole = Int64(max(0, microseconds.rounded()))
    let fraction = String(whole % 1_000_000)
    return "\(whole / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
  }

  private static func name(_ version: IncomingRequest.Version) -> String {
    switch version {
    case .http10: "HTTP/1.0"
    case .http11: "HTTP/1.1"
    case .http2: "HTTP/2"
    }
  }

  /// For a string of JSON, and for a quoted one of the common form: nothing in it ends it, or its line.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": escaped += "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
