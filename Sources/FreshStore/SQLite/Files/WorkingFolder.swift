internal import Platform

/// The folder that relative paths start from.
enum WorkingFolder {
  /// The path with the working folder of now in front of it, unless it is absolute: a later change
  /// of folder must not lead to another file.
  static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(folder) }
    return unsafe String(cString: folder) + "/" + path
  }
}

/// The running process.
enum ProcessIdentity {
  static var current: Int32 { getpid() }
}
