#if CommandLine
  /// Where the store lies when nobody says
  /// (https://specifications.freedesktop.org/basedir-spec/latest/).
  enum DefaultPath {
    /// The path; its folders are made, for their owner only.
    static func make(
      environment: [String: String] = Process.environment
    ) throws(CommandFailure) -> String {
      let caches = try caches(environment)
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
    static func find(
      environment: [String: String] = Process.environment
    ) throws(CommandFailure) -> String {
      path(in: folder(in: try caches(environment)))
    }

    private static func folder(in caches: String) -> String { caches + "/freshstore" }

    private static func path(in folder: String) -> String { folder + "/store.db" }

    /// A relative `XDG_CACHE_HOME` counts as none, as the specification says.
    private static func caches(_ environment: [String: String]) throws(CommandFailure) -> String {
      if let path = environment["XDG_CACHE_HOME"], path.hasPrefix("/") { return path }
      if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.cache" }
      throw CommandFailure(
        .usage, "neither XDG_CACHE_HOME nor HOME names a folder; name a file with --db")
    }
  }
#endif
