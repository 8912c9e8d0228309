internal import Platform

/// The obstacle that keeps a database file from being opened or written.
///
/// Each cause has another remedy, and the error numbers of SQLite and of most calls leave the cause open. The search
/// looks at the path and opens nothing but a folder.
package enum FileObstacle {
  /// The longest path that SQLite accepts, in bytes. SQLite needs room for the endings of its own files
  /// (`sqlite3PagerOpen` in pager.c, `MAX_PATHNAME` in os_unix.c).
  package static let longestPath = 504

  /// The obstacle, and the step that helps; `nil` when no obstacle is found.
  package static func remedy(at path: String) -> String? {
    let resolved = PathName.resolved(path)
    guard resolved.utf8.count <= longestPath else { return tooLong(resolved) }
    var status = stat()
    if unsafe stat(path, &status) == 0 {
      guard let remedy = remedy(at: path, of: status.st_uid, in: resolved) else {
        return remedy(inFolderOf: resolved)
      }
      return remedy
    }
    switch errno {
    case ELOOP: return "its links lead in a circle: name the file that they should lead to"
    case EACCES:
      return
        "a folder on the way to it is closed to this user: run it as another user, or open that folder"
    case ENOENT where PathName.exists(path):
      return "the link leads to nothing: name a file that is there"
    case ENOENT:
      return remedy(inFolderOf: resolved) ?? "there is no such file: name one that is there"
    default: return nil
    }
  }

  /// The step that helps when SQLite does not accept a path for its length.
  package static func tooLong(_ path: String) -> String {
    "name a shorter path: this one has \(path.utf8.count) bytes, and SQLite takes up to \(longestPath)"
  }

  private static func remedy(at path: String, of owner: uid_t, in resolved: String) -> String? {
    guard unsafe faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0 else {
      return ownership("it", owner, "read")
    }
    guard unsafe faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0 else { return nil }
    switch errno {
    case EROFS: return mountedReadOnly
    case EPERM: return "it is immutable: end that with chattr -i, or name another path"
    default: return ownership("it", owner, "write")
    }
  }

  private static func remedy(inFolderOf path: String) -> String? {
    let folder = PathName.parent(of: path)
    var status = stat()
    guard unsafe stat(folder, &status) == 0 else { return nil }
    guard unsafe faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0 else {
      return errno == EROFS
        ? mountedReadOnly
        : ownership("its folder, where SQLite makes its log,", status.st_uid, "write")
    }
    var system = statvfs()
    if unsafe statvfs(folder, &system) == 0, system.f_files > 0, system.f_favail == 0 {
      return "its file system can take no more files, which df -i shows: remove some"
    }
    let opened = unsafe Platform.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard opened >= 0 else {
      return errno == EMFILE || errno == ENFILE
        ? "too many files are open: raise the limit (ulimit -n), or end what holds them" : nil
    }
    close(opened)
    return nil
  }

  private static let mountedReadOnly =
    "its file system is mounted read-only: mount it for writing, or name a path elsewhere"

  private static func ownership(_ what: String, _ owner: uid_t, _ verb: String) -> String {
    let name = UserName.of(owner)
    return owner == geteuid()
      ? "\(what) has a mode that keeps its owner from it: chmod u+rw it"
      : "\(what) belongs to \(name), and this user may not \(verb) it: run it as \(name), or change the owner or the mode"
  }
}
