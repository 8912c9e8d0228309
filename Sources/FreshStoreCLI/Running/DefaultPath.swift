#if CommandLine
  /// The default place of the store (https://specifications.freedesktop.org/basedir-spec/latest/).
  enum DefaultPath {
    /// The path; its folders are made, for their owner only.
    static func make() throws(CommandFailure) -> String {
      let caches = try caches
      let folder = folder(in: caches)
      do throws(Descriptor.Failure) {
        try Descriptor.makeFolder(caches)
        try Descriptor.makeFolder(folder)
      } catch {
        throw CommandFailure(
          .store, "the folder \(folder) cannot be made: \(error.words); name a file with --db")
      }
      return path(in: folder)
    }

    /// The path; nothing is made.
    static func find() throws(CommandFailure) -> String {
      path(in: folder(in: try caches))
    }

    private static func folder(in caches: String) -> String { caches + "/freshstore" }

    private static func path(in folder: String) -> String { folder + "/store.db" }

    /// A relative `XDG_CACHE_HOME` counts as none, as the specification says.
    private static var caches: String {
      get throws(CommandFailure) {
        if let path = Process.variable("XDG_CACHE_HOME"), path.hasPrefix("/") { return path }
        if let home = Process.variable("HOME"), home.hasPrefix("/") { return home + "/.cache" }
        throw CommandFailure(
          .usage, "neither XDG_CACHE_HOME nor HOME names a folder; name a file with --db")
      }
    }
  }
#endif
