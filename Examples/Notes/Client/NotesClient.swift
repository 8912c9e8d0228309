#if HTTP
  internal import Foundation
  internal import FreshHTTP
  internal import FreshStore
  internal import FreshSync
  internal import NotesBoard

  /// Notes that can be read and written without a network: `NotesClient FILE SERVER VERB [WORDS]`.
  ///
  /// Only `sync`, `watch` and `remote` wait for the server; notes written meanwhile are sent when
  /// possible.
  @main
  enum NotesClient {
    struct Misuse: Error, CustomStringConvertible {
      let description = """
        usage: NotesClient FILE SERVER VERB [WORDS]
          list            shows the notes on this side
          add TEXT        writes a note and shows its name
          edit NAME TEXT  writes another text into a note
          delete NAME     deletes a note
          sync            sends what waits and fetches what has changed, once
          watch           does so whenever there is something to do, until it is ended
          remote          shows the notes of the server
        """
    }

    static func main() async {
      do {
        try await run(Array(CommandLine.arguments.dropFirst()))
      } catch {
        FileHandle.standardError.write(Data("notes: \(error)\n".utf8))
        exit(error is Misuse ? 64 : 1)
      }
    }

    private static func run(_ words: [String]) async throws {
      guard words.count >= 3 else { throw Misuse() }
      if words[2] == "remote" {
        return try await showRemote(words[1])
      }
      let notebook = try Notebook(file: words[0], server: words[1])
      try await perform(words[2], Array(words.dropFirst(3)), on: notebook)
      try await notebook.close()
    }

    private static func perform(
      _ verb: String, _ words: [String], on notebook: Notebook
    ) async throws {
      switch (verb, words.count) {
      case ("list", 0):
        for note in try notebook.notes.values(limit: 10_000) {
          let remark = note.waiting == nil ? "" : "  (not sent yet)"
          if let text = note.value?.text { print("\(note.key)  \(text)\(remark)") }
        }
      case ("add", 1):
        let name = String(UInt32.random(in: .min ... .max), radix: 36)
        try await notebook.notes.write(Note(text: words[0]), for: name, as: .create)
        print(name)
      case ("edit", 2):
        let options = WriteOptions(coalesces: true)
        var isThere = false
        try await notebook.notes.update(words[0], options: options) { note in
          isThere = note != nil
          note?.text = words[1]
        }
        guard isThere else { throw NoSuchNote(name: words[0]) }
      case ("delete", 1):
        guard try notebook.notes.read(words[0]).copy != nil else {
          throw NoSuchNote(name: words[0])
        }
        try await notebook.notes.writeDeletion(of: words[0], options: WriteOptions(coalesces: true))
      case ("sync", 0):
        let report = try await notebook.synchronize()
        print("sent \(report.pushed), parked \(report.parked), failed \(report.failed)")
      case ("watch", 0): try await watch(notebook)
      default: throw Misuse()
      }
    }

    private static func showRemote(_ server: String) async throws {
      let service = try NotesService(server)
      let list = try await service.notes.list(PreviousList(name: "all"))
      await service.close()
      guard case .full(let members, _) = list else { return }
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        if case .value(let note, _) = member { print("\(name)  \(note.text)") }
      }
    }

    struct NoSuchNote: Error, CustomStringConvertible {
      let name: String
      var description: String { "there is no note '\(name)'; 'list' shows those that are there" }
    }

    private static func watch(_ notebook: Notebook) async throws {
      let telling = Task {
        var last: SyncStatus.Phase?
        for await status in notebook.synchronizer.statuses where status.phase != last {
          last = status.phase
          switch status.phase {
          case .offline(let reason): print("offline: \(reason)")
          case .draining: print("at work")
          case .idle: print("in step, \(status.report.pushed) sent")
          case .stopped, .stopping: break
          }
          // A reader of a pipe sees each event at once.
          fflush(nil)
        }
      }
      defer { telling.cancel() }
      try await notebook.synchronizer.run()
    }
  }
#else
  /// Without the trait HTTP there is no server to ask.
  @main
  enum NotesClient {
    static func main() {
      print("notes: built without the trait HTTP; build it with that trait")
    }
  }
#endif
