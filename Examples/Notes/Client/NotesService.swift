#if HTTP
  internal import Foundation
  internal import FreshHTTP
  internal import FreshStore
  internal import NotesBoard

  /// The server of the notes, as a client asks it.
  struct NotesService: Sendable {
    /// Its notes, and the list of them.
    let notes: HTTPRecordSource<Note>
    private let web: HTTPSource

    init(_ server: String) throws {
      web = try HTTPSource()
      notes = try HTTPRecordSource(
        web, at: "\(server)/notes", codec: JSONCodec<Note>(), readingPage: { try Self.page($0) })
    }

    private static func page(_ body: [UInt8]) throws -> HTTPListPage<Note> {
      let changes = try JSONDecoder().decode(NoteChanges.self, from: Data(body))
      return HTTPListPage(
        values: changes.notes.mapValues(\.note), tags: changes.notes.mapValues(\.tag),
        removed: changes.removed, cursor: "?since=\(changes.cursor)", isWhole: changes.isFull)
    }

    func close() async { await web.close() }
  }
#endif
