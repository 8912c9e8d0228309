internal import FreshHTTP
internal import FreshStore
internal import Strategies

/// One request, as the log tells of it.
struct AccessEntry: Sendable {
  /// What an origin that was asked for it has done.
  struct Origin: Sendable, Hashable {
    /// To the head of its answer.
    var time: Duration?
    /// Why there was none, or not all of one.
    var error: String?
  }

  /// The other end of the connection.
  var peer: String
  /// Who has asked, as a peer says that is believed; else the peer.
  var client: String?
  var at: Timestamp
  var method: String
  var target: String
  /// What the client has sent of `Host`, `User-Agent` and `Referer`; for the JSON form alone.
  var host: String?
  var userAgent: String?
  var referer: String?
  var version: IncomingRequest.Version
  var status: Int
  /// The bytes of the content that was sent.
  var length: Int
  var duration: Duration
  /// The member of `Cache-Status` that this gateway has added.
  var decision: String?
  /// True when the client left before it had all of the answer; with the status 499 before it had any.
  var hasLeft = false
  /// True when the client was there to the end, and was not sent all of the answer, or was cut off within it.
  var isBroken = false
  var origin = Origin()

  /// The bytes that it takes in memory, about.
  var size: Int {
    let others = [client, host, userAgent, referer, decision, origin.error]
    return others.reduce(256 + peer.utf8.count + method.utf8.count + target.utf8.count) {
      $0 + ($1?.utf8.count ?? 0)
    }
  }

  /// The common log format of the first web servers, with the decision and the seconds behind it, and `left`
  /// where the client did, or `broken` where the answer is.
  var common: String {
    // `Sun, 06 Nov 1994 08:49:37 GMT`
    let words = HTTPDate.format(at).split(separator: " ")
    let date = words[1...3].joined(separator: "/")
    let request = Self.escaped("\(method) \(target) \(Self.name(version))")
    return
      "\(Self.escaped(client ?? peer)) - - [\(date):\(words[4]) +0000] \"\(request)\" \(status) \(length) "
      + "\"\(Self.escaped(decision ?? "-"))\" \(Self.seconds(duration))\(hasLeft ? " left" : isBroken ? " broken" : "")"
  }

  var json: String {
    var fields: [(String, String)] = [
      ("time", "\"\(time)\""), ("peer", "\"\(Self.escaped(peer))\""),
      ("client", "\"\(Self.escaped(client ?? peer))\""), ("host", Self.value(host)),
      ("method", "\"\(Self.escaped(method))\""), ("target", "\"\(Self.escaped(target))\""),
      ("version", "\"\(Self.name(version))\""), ("status", "\(status)"), ("bytes", "\(length)"),
      ("seconds", Self.seconds(duration)), ("cache", Self.value(decision)),
      ("userAgent", Self.value(userAgent)), ("referer", Self.value(referer)),
    ]
    if let time = origin.time { fields.append(("originSeconds", Self.seconds(time))) }
    if let error = origin.error { fields.append(("originError", Self.value(error))) }
    if hasLeft { fields.append(("left", "true")) }
    if isBroken { fields.append(("broken", "true")) }
    return "{" + fields.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }

  /// RFC 3339, in UTC, to the millisecond.
  private var time: String {
    let milliseconds = at.millisecondsSinceEpoch
    let part = (milliseconds % 1000 + 1000) % 1000
    let text = "\(Timestamp(millisecondsSinceEpoch: milliseconds - part))"
    let digits = String(part + 1000).dropFirst()
    return text.hasSuffix("Z") ? "\(text.dropLast()).\(digits)Z" : text
  }

  private static func value(_ text: String?) -> String {
    text.map { "\"\(escaped($0))\"" } ?? "null"
  }

  private static func seconds(_ duration: Duration) -> String {
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

  /// For a string of JSON, and for a quoted one of the common form: nothing in it ends it, or its line, or
  /// acts on the terminal that shows it.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in FieldText.replacingBytes(text).unicodeScalars {
      switch scalar {
      case "\"", "\\": escaped += "\\\(scalar)"
      case _ where ObeyedCharacters.contains(scalar):
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
