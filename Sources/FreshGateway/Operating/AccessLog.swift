internal import FreshHTTP
internal import FreshStore
internal import Platform
internal import Strategies
internal import Synchronization

/// The access log: a line for each answered request, in the common form or as JSON.
///
/// Entries wait in memory until there are enough of them, or until ``flush()``. A separate thread formats and writes
/// them. A log that blocks, such as a pipe without a reader, therefore delays no answer. Entries that find no room are
/// lost, and counted.
package final class AccessLog: Sendable {
  package enum Form: String, Sendable {
    case common
    case json
  }

  private struct State {
    var waiting: [AccessEntry] = []
    /// The approximate size of the waiting entries in bytes.
    var size = 0
    var isWriting = false
    /// The number of all lost lines, and of lost lines that the log does not mention yet.
    var lost = 0
    var untold = 0
    var idle: [CheckedContinuation<Void, Never>] = []
  }

  let form: Form
  private let write: @Sendable ([UInt8]) -> Bool
  private let room: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - room: The largest number of bytes that may wait.
  ///   - write: Writes whole lines, and may block. One thread at a time calls it. It returns false when the lines are
  ///     lost.
  package init(
    _ form: Form, room: Int = 16 << 20, write: @escaping @Sendable ([UInt8]) -> Bool
  ) {
    (self.form, self.room, self.write) = (form, room, write)
  }

  /// The number of lost lines.
  var lost: Int { state.withLock { $0.lost } }

  func add(_ entry: AccessEntry) {
    let isEnough = state.withLock { state in
      guard state.size + entry.size <= room else {
        state.lost += 1
        state.untold += 1
        return false
      }
      state.waiting.append(entry)
      state.size += entry.size
      return state.waiting.count >= Self.enough
    }
    if isEnough { flush() }
  }

  /// Starts a thread that writes the waiting entries.
  func flush() {
    let isNeeded = state.withLock { state in
      guard !state.isWriting, !state.waiting.isEmpty else { return false }
      state.isWriting = true
      return true
    }
    guard isNeeded else { return }
    do throws(ErrorNumber) {
      try DetachedThread.start { [self] in writeAll() }
    } catch {
      // The next call tries again.
      for waiter in state.withLock({ Self.end(&$0) }) { waiter.resume() }
    }
  }

  /// Writes the waiting entries. Returns when they are written, or when the task is cancelled.
  package func close() async {
    flush()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isIdle = state.withLock { state in
          guard state.isWriting, !Task.isCancelled else { return true }
          state.idle.append(continuation)
          return false
        }
        if isIdle { continuation.resume() }
      }
    } onCancel: {
      let waiters = state.withLock { state in
        defer { state.idle = [] }
        return state.idle
      }
      for waiter in waiters { waiter.resume() }
    }
  }

  private func writeAll() {
    while let batch = take() {
      guard !write(bytes(of: batch)) else { continue }
      state.withLock { state in
        state.lost += batch.entries.count
        state.untold += batch.entries.count + batch.told
      }
    }
  }

  private struct Batch: Sendable {
    var entries: [AccessEntry]
    /// The number of lost lines that this batch mentions.
    var told: Int
  }

  /// Takes the waiting entries; `nil` ends the thread.
  private func take() -> Batch? {
    let (batch, waiters) = state.withLock { state -> (Batch?, [CheckedContinuation<Void, Never>]) in
      guard !state.waiting.isEmpty else { return (nil, Self.end(&state)) }
      let batch = Batch(entries: state.waiting, told: state.untold)
      (state.waiting, state.size, state.untold) = ([], 0, 0)
      return (batch, [])
    }
    for waiter in waiters { waiter.resume() }
    return batch
  }

  /// Marks the writer as finished, and returns the callers that wait for this.
  private static func end(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
    state.isWriting = false
    defer { state.idle = [] }
    return state.idle
  }

  private func bytes(of batch: Batch) -> [UInt8] {
    var bytes: [UInt8] = []
    for entry in batch.entries {
      bytes += (form == .json ? entry.json : entry.common).utf8
      bytes.append(UInt8(ascii: "\n"))
    }
    if batch.told > 0 { bytes += "\(notice(batch.told))\n".utf8 }
    return bytes
  }

  private func notice(_ count: Int) -> String {
    form == .json ? "{\"lost\":\(count)}" : "# \(count) lines were lost here: the log took none"
  }

  private static let enough = 256
}

/// One request, as the access log shows it.
struct AccessEntry: Sendable {
  /// The origin's part in the answer.
  struct Origin: Sendable, Hashable {
    /// The time until the header section of the response arrived.
    var time: Duration?
    /// Why there was no response, or an incomplete one.
    var error: String?
  }

  /// The address at the other end of the connection.
  var peer: String
  /// The client that a trusted peer names; `nil` means the peer itself.
  var client: String?
  var at: Timestamp
  var method: String
  var target: String
  /// The request's `Host`, `User-Agent` and `Referer`, for the JSON form only.
  var host: String?
  var userAgent: String?
  var referer: String?
  var version: IncomingRequest.Version
  var status: Int
  /// The number of body bytes that were sent.
  var length: Int
  var duration: Duration
  /// This gateway's member of `Cache-Status`.
  var decision: String?
  /// True when the client left before it had the whole answer. The status 499 means that it had nothing.
  var hasLeft = false
  /// True when the client stayed but got an incomplete answer, or when the gateway aborted the answer.
  var isBroken = false
  var origin = Origin()

  /// The approximate size in memory, in bytes.
  var size: Int {
    let others = [client, host, userAgent, referer, decision, origin.error]
    return others.reduce(256 + peer.utf8.count + method.utf8.count + target.utf8.count) {
      $0 + ($1?.utf8.count ?? 0)
    }
  }

  /// The common log format, followed by the decision and the seconds. A last word says that the client `left`, or that
  /// the answer is `broken`.
  var common: String {
    // The format is `Sun, 06 Nov 1994 08:49:37 GMT`.
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

  /// The time in UTC to the millisecond (RFC 3339).
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

  /// Escapes a text for a JSON string or a quoted string of the common form. The result cannot end the string or its
  /// line, and cannot control a terminal.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in FieldText.replacingBytes(text).unicodeScalars {
      switch scalar {
      case "\"", "\\": escaped += "\\\(scalar)"
      case _ where ControlCharacters.contains(scalar):
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
