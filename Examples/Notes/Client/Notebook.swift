#if HTTP
  import Reachability
  internal import Foundation
  internal import FreshHTTP
  internal import FreshStore
  internal import FreshSync
  internal import NotesBoard
  internal import Strategies

  /// The notes on this side: a store that answers at once, and a synchronizer that keeps it in step
  /// with the server while it is in reach.
  struct Notebook {
    let store: Store
    let notes: RecordCollection<Note>
    let synchronizer: Synchronizer
    private let source: HTTPSource
    private let server: String
    private static let list = "all"

    init(file: String, server: String) throws {
      let source = try HTTPSource()
      var policy = Policy.offlineFirst
      policy.origin = try HTTPSource.origin(of: server)
      // A numeric address is known at once; a name has to be looked up first.
      let address = URL(string: server)?.host().flatMap { IPAddress($0) }
      let monitor =
        if let address { RouteMonitor(target: address) } else {
          try RouteMonitor.monitor(source: server)
        }
      store = try Store(path: file, configuration: Configuration(reachability: monitor))
      notes = try store.collection("notes", of: Note.self, policy: policy)
      synchronizer = Synchronizer(store)
      self.source = source
      self.server = server
      register(policy)
    }

    private func register(_ policy: Policy) {
      let (source, server) = (source, server)
      synchronizer.add(notes, conflicts: .merge { Self.merged($0) }) { previous in
        let answer = try await source.fetch(
          "\(server)/notes/\(previous.key)", previous: previous)
        return try answer.map { try Self.decode($0) }
      } push: { write in
        let bytes = try write.map { try Self.encode($0) }
        let answer = try await source.push(bytes, to: "\(server)/notes/\(write.key)")
        return try answer.map { try Self.decode($0) }
      }
      synchronizer.follow(Self.list, of: notes, policy: policy.expiring(.after(.seconds(2)))) {
        try await Self.changes(since: $0.cursor, from: server, source)
      }
    }

    func close() async throws {
      await source.close()
      try await store.close()
    }

    /// Sends the waiting writes, and fetches the changes.
    func synchronize() async throws -> SyncReport {
      let report = try await synchronizer.drain()
      let (server, source) = (server, source)
      _ = try await notes.follow(Self.list) {
        try await Self.changes(since: $0.cursor, from: server, source)
      }
      return report
    }

    /// Every note by name, and whether the server has its present text.
    func all() throws -> [(name: String, note: Note, isSent: Bool)] {
      try store.list(collection: notes.name, limit: 10_000).compactMap { summary in
        guard let note = try notes.read(summary.key).copy?.value else { return nil }
        return (summary.key, note, !summary.isPending)
      }.sorted { $0.name < $1.name }
    }

    /// The notes of the server, by name.
    static func remote(_ server: String) async throws -> [(name: String, note: Note)] {
      let source = try HTTPSource()
      let answer = try await changes(since: nil, from: server, source)
      await source.close()
      guard case .full(let members, _) = answer else { return [] }
      return members.compactMap { name, member in
        if case .value(let note, _) = member { (name, note) } else { nil }
      }.sorted { $0.name < $1.name }
    }

    // MARK: The server

    /// Both sides changed a note: both texts stay, unless one side left it as it was. A note that one
    /// side deleted and the other changed stays.
    private static func merged(_ conflict: Conflict<Note>) -> Resolution<Note> {
      switch (conflict.local, conflict.remote) {
      case (nil, let remote): remote == conflict.base ? .deleted : .remote
      case (let local?, nil): .merged(local)
      case (let local?, let remote?):
        remote == conflict.base || remote == local
          ? .merged(local) : .merged(Note(text: "\(remote.text) / \(local.text)"))
      }
    }

    private static func changes(
      since cursor: String?, from server: String, _ source: HTTPSource
    ) async throws -> SourceListChange<Note> {
      let query = cursor.map { "?since=\($0)" } ?? ""
      // The server no longer knows the cursor.
      guard case .value(let bytes, _) = try await source.fetch("\(server)/notes\(query)") else {
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

    private static func decode(_ bytes: [UInt8]) throws -> Note {
      try JSONDecoder().decode(Note.self, from: Data(bytes))
    }

    private static func encode(_ note: Note) throws -> [UInt8] {
      [UInt8](try JSONEncoder().encode(note))
    }
  }
#endif
