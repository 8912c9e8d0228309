#if CommandLine
  import NotesBoard
  import OriginServer

  /// The origin that stands for the servers that pages ask: it has notes, and news under every other
  /// path.
  enum PageOrigin {
    static func start() async throws(OriginStartError) -> OriginServer {
      let notes = NoteBoard()
      return try await OriginServer.start { request in
        if request.path.hasPrefix("/notes/") { return notes.answer(request) }
        return .init(
          200, ["Cache-Control": "max-age=600", "Content-Type": "application/json"],
          body: #"{"edition":1,"headline":"Edition 1 is out"}"# + "\n")
      }
    }
  }
#endif
