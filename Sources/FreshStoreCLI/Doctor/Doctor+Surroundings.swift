#if CommandLine
  internal import FreshStore
  internal import FreshStoreTools
  internal import Platform
  internal import Reachability
  internal import Strategies

  extension Doctor {
    /// Whether this user may use the files, and whether other users may.
    var permissions: [Finding] {
      guard let database = diagnosis.database else { return [] }
      let others = [database, diagnosis.log, diagnosis.logIndex].compactMap(\.self)
      let bad = others.flatMap { [access(to: $0, database), exposure(of: $0)] }.compactMap(\.self)
      guard bad.isEmpty else { return bad }
      let mode = String(database.mode & 0o777, radix: 8)
      return [
        .ok("permissions", "the files belong to \(database.ownerName), with the mode \(mode)")
      ]
    }

    private func access(to file: FoundFile, _ database: FoundFile) -> Finding? {
      let isBeside = file.path != database.path
      guard file.isRegular || !isBeside else {
        return .problem(
          "permissions", "\(file.path) is no regular file, so that nothing can be read or stored",
          "see what it is, and move it away; SQLite makes that file anew")
      }
      guard file.isReadable, file.isWritable else {
        let rights = file.isReadable ? "may read and not write it" : "may not read it"
        let message = "\(file.path) belongs to \(file.ownerName), and this user \(rights)"
        let advice = "run it as \(file.ownerName), or change the owner of the files"
        // SQLite still reads a database that it may not write. With an unusable log it reads nothing.
        return isBeside || !file.isReadable
          ? .problem("permissions", message, advice) : .warning("permissions", message, advice)
      }
      guard isBeside, file.owner != database.owner else { return nil }
      return .warning(
        "permissions",
        "\(file.path) belongs to \(file.ownerName), the database to \(database.ownerName), who may be "
          + "kept out", "use the store as one user; chown the file to \(database.ownerName)")
    }

    private func exposure(of file: FoundFile) -> Finding? {
      guard file.isWritableByOthers else { return nil }
      let mode = String(file.mode & 0o777, radix: 8)
      return .warning(
        "permissions",
        "\(file.path) has the mode \(mode): other users can change what is served, or break the store",
        "chmod go-w it")
    }

    /// Whether files can be made beside the database, and which users can make them.
    var folder: Finding {
      guard let folder = diagnosis.folder else {
        return isDefaultPath
          ? .ok(
            "folder",
            DefaultPath.obstacle == nil ? "it is made with the store" : "there is none yet")
          : .problem("folder", "it does not exist", "make it, or name another file with --db")
      }
      let path = Console.printable(folder.path)
      guard folder.isWritable else {
        let message = "\(path) cannot be written by this user, so that nothing can be stored"
        let advice = "ask \(folder.ownerName) for the permission, or name another file with --db"
        return diagnosis.database == nil
          ? .problem("folder", message, advice) : .warning("folder", message, advice)
      }
      guard !folder.isWritableByOthers else {
        return .warning(
          "folder",
          "\(path) can be written by other users, who can put another file in the store's place",
          "chmod go-w it, or keep the store in a folder of its own")
      }
      return .ok("folder", "\(path) belongs to \(folder.ownerName), and nobody else can write it")
    }

    /// Whether the file system supports SQLite's log.
    var fileSystem: Finding {
      guard let system = diagnosis.fileSystem else {
        return .ok("file-system", "the system does not tell its kind")
      }
      let kind = system.kind ?? "of a kind that the system does not tell"
      if system.isReadOnly {
        return .warning(
          "file-system", "it is mounted read-only: copies are served, nothing is stored",
          "name a file elsewhere with --db, or mount it for writing")
      }
      if FoundFileSystem.isShared(kind) {
        return .warning(
          "file-system",
          "it is \(kind), where the memory that programs share over the log may not work: with several "
            + "at work the store can be damaged", "keep the store on a local disk")
      }
      if diagnosis.isMountedAlone {
        return .problem(
          "file-system",
          "\(diagnosis.resolvedPath) is mounted as a single file: its log lies elsewhere, and the commits in it are "
            + "lost with the container; a damaged file cannot be moved aside",
          "mount the folder of the store in place of the file")
      }
      return .ok("file-system", "it is \(kind), on which the log works")
    }

    /// Whether the disk has room.
    var space: Finding {
      guard let system = diagnosis.fileSystem else {
        return .ok("space", "the system does not tell how much is free")
      }
      let free = ByteCount.words(system.freeBytes)
      let advice =
        DiskRoom.isEnoughToPrune(at: diagnosis.path)
        ? "make room on the disk; freshstore prune gives space back"
        : "make room on the disk; freshstore prune gives space back once there are \(DiskRoom.words)"
      if system.freeBytes < Self.noRoom {
        return .problem(
          "space", "\(free) are free: copies are served, and nothing more is stored", advice)
      }
      if let files = system.freeFiles, files < Self.fewFiles {
        return .problem(
          "space",
          "\(files) more files can be made on the file system, and a store makes some beside it: what is stored may fail",
          "remove files there that nobody needs, which df -i counts; a prune makes no room for files"
        )
      }
      if system.freeBytes < Self.littleRoom {
        return .warning("space", "only \(free) are free", advice)
      }
      return .ok("space", "\(free) are free")
    }

    private static let noRoom: UInt64 = 1 << 20
    private static let littleRoom: UInt64 = 64 << 20
    private static let fewFiles: UInt64 = 16

    // MARK: The network

    /// The kernel's view of the routes to sources, and the overrides of it.
    static func network(_ targets: [ReachabilityTarget]) -> [Finding] {
      [override] + targets.map { finding(of: $0) }
    }

    private static var override: Finding {
      let variable = ReachabilityOverride.variable
      do throws(CommandFailure) {
        guard let override = try ReachabilityOverride.ofEnvironment() else {
          return .ok("override", "\(variable) is not set: the kernel is asked")
        }
        guard override != .askReachability else {
          return .ok("override", "\(variable)=ask: the kernel is asked, for commands as well")
        }
        return .warning(
          "override",
          "\(variable)=\(override.rawValue): that, and not the kernel, is what a get goes by",
          "unset it unless it is meant")
      } catch {
        return .problem(
          "override", "every get fails: \(error.message ?? "\(variable) is wrong")",
          "unset it, or set it so")
      }
    }

    private static func finding(of target: ReachabilityTarget) -> Finding {
      let state = target.reachability()
      let words = "\(target.name): \(state) [\(target.monitor.method.rawValue)]"
      guard !target.isUnresolved || state.isProvablyOffline else {
        return .warning(
          "reachability", words,
          "see whether the name is right, and whether the name service answers")
      }
      return state.isProvablyOffline
        ? .warning(
          "reachability", "\(words): copies are served whatever their age, nothing is fetched",
          "bring the network up, or say --online where a source needs no route")
        : .ok("reachability", words)
    }
  }
#endif
