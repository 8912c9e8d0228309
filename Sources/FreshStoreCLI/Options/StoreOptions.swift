#if CommandLine
  internal import ArgumentParser
  internal import FreshStore
  internal import Platform

  /// The options of every verb.
  struct StoreOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        """
        The database file; its folder must exist. (default: $FRESHSTORE_DB, else \
        $XDG_CACHE_HOME/freshstore/store.db, else ~/.cache/freshstore/store.db)
        """, valueName: "path"),
      completion: .file())
    var db: String?

    @Flag(name: .shortAndLong, help: "Say on standard error what is decided and how long it takes.")
    var verbose = false

    /// The file that the option or the environment names.
    var path: String? { db ?? Self.pathOfEnvironment }

    /// The file that the environment names.
    static var pathOfEnvironment: String? {
      Process.variable("FRESHSTORE_DB").flatMap { $0.isEmpty ? nil : $0 }
    }
  }

  /// The option for answers to programs.
  struct JSONOption: ParsableArguments {
    @Flag(help: "Print JSON.")
    var json = false

    /// Prints an answer in the requested form.
    func print(
      _ object: @autoclosure () -> some Encodable, or lines: @autoclosure () -> [String]
    ) throws(CommandFailure) {
      if json { return try StandardOutput.json(object()) }
      for line in lines() { try StandardOutput.line(line) }
    }
  }

  /// The default path of the store (https://specifications.freedesktop.org/basedir-spec/latest/).
  enum DefaultPath {
    /// The variable that decides the path, its value, and the resulting folder for caches.
    private static var variable: (name: String, value: String, caches: String)? {
      if let path = Process.variable("XDG_CACHE_HOME"), path.hasPrefix("/") {
        return ("XDG_CACHE_HOME", path, path)
      }
      if let home = Process.variable("HOME"), home.hasPrefix("/") {
        return ("HOME", home, home + "/.cache")
      }
      return nil
    }

    /// The path. Its folders are made, for their owner only.
    static func make() throws(CommandFailure) -> String {
      let caches = try caches
      let folder = folder(in: caches)
      do throws(Descriptor.Failure) {
        try Descriptor.makeFolder(caches)
        try Descriptor.makeFolder(folder)
      } catch {
        throw CommandFailure(
          .store,
          "the folder \(folder) cannot be made: \(obstacle ?? error.words); \(remedy)")
      }
      return path(in: folder)
    }

    /// The path; nothing is made.
    static func find() throws(CommandFailure) -> String {
      path(in: folder(in: try caches))
    }

    /// Why the folder of the store cannot be made; `nil` when it exists or can be made.
    static var obstacle: String? {
      guard let found = variable else { return nil }
      let caches = found.caches
      guard FoundFile(folder(in: caches))?.isFolder != true else { return nil }
      let place = PathName.exists(caches) ? caches : PathName.parent(of: caches)
      guard let folder = FoundFile(place), folder.isFolder else {
        return "\(found.name) is \(found.value), and \(place) is no folder"
      }
      guard folder.isWritable else {
        return
          "\(found.name) is \(found.value), and \(place) belongs to \(folder.ownerName), and this user may not write it"
      }
      return nil
    }

    /// The advice for that obstacle.
    static var remedy: String {
      "set \(variable?.name ?? "HOME") to a folder of this user, or name a file with --db"
    }

    private static func folder(in caches: String) -> String { caches + "/freshstore" }

    private static func path(in folder: String) -> String { folder + "/store.db" }

    /// The folder for caches. A relative `XDG_CACHE_HOME` is ignored, as the specification says.
    private static var caches: String {
      get throws(CommandFailure) {
        if let variable { return variable.caches }
        throw CommandFailure(
          .usage, "neither XDG_CACHE_HOME nor HOME names a folder, in UTF-8; name a file with --db")
      }
    }
  }
#endif
