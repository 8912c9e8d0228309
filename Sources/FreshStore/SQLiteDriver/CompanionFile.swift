internal import Platform

/// A lock file beside the database, named after it.
package enum CompanionFile {
  /// The path of the file; two links to one database share it.
  static func path(_ database: String, _ suffix: String) -> String {
    PathName.resolved(database) + suffix
  }

  /// Opens the file, and creates it if it is missing; negative on failure, with the reason in
  /// `errno`.
  ///
  /// A new file gets the mode of the database, and from root its owner, as SQLite does with a log
  /// (robustFchown in os_unix.c): everyone who may write the database may lock it, whoever creates
  /// the file.
  static func open(_ file: String, of database: String) -> Int32 {
    while true {
      // A named pipe or another special file must not block.
      let flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
      let opened = unsafe Platform.open(file, flags, 0)
      guard opened < 0, errno == ENOENT else { return opened }
      let made = unsafe Platform.open(file, flags | O_CREAT | O_EXCL, 0o600)
      if made >= 0 { adopt(made, as: database) }
      guard made < 0, errno == EEXIST else { return made }
    }
  }

  /// Gives a file that this process has created the owner, the group and the mode of a database. One whose owner or
  /// mode cannot be set still serves its creator.
  ///
  /// Without the group its rights would be those of another one.
  package static func adopt(_ descriptor: Int32, as database: String) {
    var (status, own) = (stat(), stat())
    guard unsafe stat(database, &status) == 0 else { return }
    // Only root may give a file away; the group may be any that the user is in.
    _ = fchown(descriptor, geteuid() == 0 ? status.st_uid : .max, status.st_gid)
    let hasGroup = unsafe fstat(descriptor, &own) == 0 && own.st_gid == status.st_gid
    _ = fchmod(descriptor, status.st_mode & (hasGroup ? 0o666 : 0o606))
  }

  /// True while the path names the opened file: a lock on an unlinked file excludes nobody.
  static func isStillThere(_ descriptor: Int32, _ file: String) -> Bool {
    var (opened, named) = (stat(), stat())
    guard unsafe fstat(descriptor, &opened) == 0, unsafe lstat(file, &named) == 0 else {
      return false
    }
    return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
  }
}
