internal import FreshHTTP
internal import FreshStore
internal import Platform
internal import Strategies
internal import Synchronization

/// The log of requests: a line for each that was answered, in the common form or as JSON.
///
/// Entries wait in memory until enough have come, or until ``flush()``. A thread of its own makes lines of them and
/// writes them: a log that takes none for a while, such as a pipe that nobody reads, holds up no answer. What finds
/// no room then is lost, and counted.
package final class AccessLog: Sendable {
  package enum Form: String, Sendable {
    case common
    case json
  }

  private struct State {
    var waiting: [AccessEntry] = []
    /// The bytes that they take, about.
    var size = 0
    var isWriting = false
    /// Of all lines, and of those that the log has not been told of.
    var lost = 0
    var untold = 0
    var idle: [CheckedContinuation<Void, Never>] = []
  }

  let form: Form
  private let write: @Sendable ([UInt8]) -> Bool
  private let room: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - room: The most bytes that may wait.
  ///   - write: Writes whole lines, and may block; called by one thread at a time. False when they are lost.
  package init(
    _ form: Form, room: Int = 16 << 20, write: @escaping @Sendable ([UInt8]) -> Bool
  ) {
    (self.form, self.room, self.write) = (form, room, write)
  }

  /// The lines that were lost.
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

  /// Has what waits be written, by another thread.
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

  /// Writes what waits; returns once that is done, or the task is cancelled.
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
    /// The lost lines that it tells of.
    var told: Int
  }

  /// What waits; without any the thread is no more.
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

  /// Nobody writes any longer; those who waited for that.
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
