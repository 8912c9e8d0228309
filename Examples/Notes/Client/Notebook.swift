#if HTTP
  internal import FreshHTTP
  internal import FreshStore
  internal import FreshSync
  internal import NotesBoard
  internal import Strategies

  /// The notes on this side: a store that answers at once, and a synchronizer that keeps it in step
  /// with the server while it is in reach.
  struct Notebook {
    let notes: RecordCollection<Note>
    let synchronizer: Synchronizer
    private let service: NotesService
    private static let list = "all"

    init(file: String, server: String) throws {
      let service = try NotesService(server)
      let policy = Policy.offlineFirst.from(service.notes)
      let store = try Store(
        path: file, configuration: Configuration(reachability: .monitor(source: server)))
      notes = try store.collection("notes", of: Note.self, policy: policy)
      synchronizer = Synchronizer(store)
      self.service = service
      synchronizer.add(notes, from: service.notes, conflicts: .merge { Self.merged($0) })
      synchronizer.follow(Self.list, of: notes, policy: policy.expiring(.seconds(2))) {
        try await service.notes.list($0)
      }
    }

    func close() async throws {
      await service.close()
      try await notes.store.close()
    }

    /// Sends the waiting writes, and fetches the changes, however new the list is.
    func synchronize() async throws -> SyncReport {
      let report = try await synchronizer.drain()
      _ = try await notes.follow(Self.list, from: service.notes)
      return report
    }

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
  }
#endif
