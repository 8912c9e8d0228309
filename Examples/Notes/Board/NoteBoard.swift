#if HTTP
  internal import Foundation
  public import OriginServer
  internal import Synchronization

  /// The notes of a server, in memory, with every service an offline-first client needs:
  ///
  /// - `GET /notes` lists them; `?since=CURSOR` returns the changes, 410 for a cursor that means
  ///   nothing here.
  /// - `GET`, `PUT` and `DELETE /notes/NAME` work on one; every note has an entity tag, and
  ///   `If-None-Match` and `If-Match` are heeded (RFC 9110 section 13.1).
  /// - A write with an `Idempotency-Key` that was accepted before gets the same answer again.
  public final class NoteBoard: Sendable {
    private struct Version {
      let number: Int
      /// `nil` when the note was deleted.
      let body: [UInt8]?

      var tag: String { "\"\(number)\"" }
    }

    private struct State {
      var notes: [String: Version] = [:]
      var last = 0
      var answers: [String: OriginServer.Response] = [:]
    }

    private let state = Mutex(State())
    /// A cursor of another board, or of this one before a restart, means nothing.
    private let epoch = UInt32.random(in: .min ... .max)

    /// Creates a board without notes.
    public init() {}

    /// Answers one request.
    public func answer(_ request: OriginServer.Request) -> OriginServer.Response {
      if request.path == "/notes" {
        return request.method == "GET" ? list(request) : .init(405, ["Allow": "GET"])
      }
      let prefix = "/notes/"
      guard request.path.hasPrefix(prefix), request.path.utf8.count > prefix.utf8.count else {
        return .init(404, body: "not here\n")
      }
      let name = String(request.path.dropFirst(prefix.count))
      return state.withLock { state in
        switch request.method {
        case "GET": Self.present(state.notes[name], request)
        case "PUT", "DELETE": Self.write(name, request, in: &state)
        default: .init(405, ["Allow": "GET, PUT, DELETE"])
        }
      }
    }

    // MARK: One note

    private static func present(
      _ version: Version?, _ request: OriginServer.Request
    ) -> OriginServer.Response {
      guard let version, let body = version.body else { return .init(404) }
      guard request["If-None-Match"] != version.tag else {
        return .init(304, ["ETag": version.tag])
      }
      return .init(200, ["Content-Type": "application/json", "ETag": version.tag], body: body)
    }

    private static func write(
      _ name: String, _ request: OriginServer.Request, in state: inout State
    ) -> OriginServer.Response {
      if let answer = request["Idempotency-Key"].flatMap({ state.answers[$0] }) { return answer }
      let present = state.notes[name].flatMap { $0.body == nil ? nil : $0 }
      if let expected = request["If-Match"], expected != present?.tag { return .init(412) }
      if request["If-None-Match"] == "*", present != nil { return .init(412) }
      let answer: OriginServer.Response
      if request.method == "DELETE" {
        guard present != nil else { return .init(404) }
        answer = .init(204)
      } else {
        guard isNote(request.body) else { return .init(422, body: "this is no note\n") }
        answer = .init(present == nil ? 201 : 204, ["ETag": "\"\(state.last + 1)\""])
      }
      state.last += 1
      state.notes[name] = Version(
        number: state.last, body: request.method == "PUT" ? request.body : nil)
      if let key = request["Idempotency-Key"] { state.answers[key] = answer }
      return answer
    }

    private static func isNote(_ body: [UInt8]) -> Bool { note(body) != nil }

    private static func note(_ body: [UInt8]) -> Note? {
      // Anything else is no note, whatever it is.
      try? JSONDecoder().decode(Note.self, from: Data(body))
    }

    // MARK: The list

    private func list(_ request: OriginServer.Request) -> OriginServer.Response {
      let query = request.target.split(separator: "?", maxSplits: 1).dropFirst().first
      var since: Int?
      if let query {
        let parts = query.split(separator: "=").last?.split(separator: ".") ?? []
        guard query.hasPrefix("since="), parts.count == 2, parts[0] == "\(epoch)",
          let number = Int(parts[1])
        else { return .init(410) }
        since = number
      }
      do {
        let body = try JSONEncoder().encode(changes(since: since))
        return .init(200, ["Content-Type": "application/json"], body: [UInt8](body))
      } catch {
        return .init(500, body: "\(error)\n")
      }
    }

    private func changes(since: Int?) -> NoteChanges {
      let state = state.withLock { $0 }
      var changes = NoteChanges(isFull: since == nil, cursor: "\(epoch).\(state.last)")
      for (name, version) in state.notes where version.number > since ?? 0 {
        if let note = version.body.flatMap(Self.note) {
          changes.notes[name] = NoteChanges.Entry(note: note, tag: version.tag)
        } else {
          changes.removed.append(name)
        }
      }
      return changes
    }
  }
#endif
