#if HTTP
  internal import Foundation
  internal import FreshHTTP
  internal import FreshStore
  internal import NotesBoard

  /// The server of the notes, as a client asks it.
  struct NotesService: Sendable {
    private let source: HTTPSource
    /// The address of all notes.
    private let address: String
    private let codec = JSONCodec<Note>()

    init(_ server: String) throws {
      source = try HTTPSource()
      address = "\(server)/notes"
    }

    func fetch(_ previous: Previous<Note>) async throws -> Fetched<Note> {
      try await source.fetch("\(address)/\(previous.key)", previous: previous).map(codec.decode)
    }

    func push(_ write: PendingWrite<Note>) async throws -> Pushed<Note> {
      try await source.push(write.map(codec.encode), to: "\(address)/\(write.key)")
        .map(codec.decode)
    }

    func list(_ previous: PreviousList) async throws -> SourceListChange<Note> {
      let query = previous.cursor.map { "?since=\($0)" } ?? ""
      // The server no longer knows the cursor.
      guard case .value(let bytes, _) = try await source.fetch("\(address)\(query)") else {
        return .expiredCursor
      }
      let changes = try JSONDecoder().decode(NoteChanges.self, from: Data(bytes))
      let members = changes.notes.mapValues { entry in
        ListMember.value(
          entry.note, FetchDetails(validators: Validators(entityTag: entry.tag)))
      }
      return changes.isFull
        ? .full(members, cursor: changes.cursor)
        : .delta(members, removals: changes.removed, cursor: changes.cursor)
    }

    func close() async { await source.close() }
  }
#endif
