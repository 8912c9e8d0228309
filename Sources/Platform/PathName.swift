/// Splits and resolves paths, and opens no file.
package enum PathName {
  /// The folder, with its slash, and the name in it. Works on bytes, because a combining mark after the slash would
  /// hide the slash from Swift.
  package static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("./", path) }
    let name = path.utf8.index(after: slash)
    return (String(path[..<name]), String(path[name...]))
  }

  /// The folder without its slash; `/` is its own.
  package static func parent(of path: String) -> String {
    let folder = split(path).folder
    return folder == "/" ? folder : String(Substring(folder.utf8.dropLast()))
  }

  /// True when the name exists, even as a dangling link.
  package static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// The path, prefixed with the current working folder unless it is absolute, so that a later change of folder
  /// does not lead to another file. Unchanged where the name of the working folder is not UTF-8.
  package static func absolute(_ path: String) -> String {
    guard path.utf8.first != UInt8(ascii: "/"), let folder = unsafe text(getcwd(nil, 0)) else {
      return path
    }
    return folder + "/" + path
  }

  /// The path with links resolved; a dangling last link resolves to its target. Unchanged where the result is not
  /// UTF-8.
  package static func resolved(_ path: String) -> String {
    let resolved = unsafe realpath(path, nil)
    guard unsafe resolved == nil else { return unsafe text(resolved) ?? path }
    return target(of: path) ?? path
  }

  /// The text of a path, which is freed. `nil` without a path, and for bytes that are not UTF-8: their repaired
  /// form would be another path.
  private static func text(_ path: UnsafeMutablePointer<CChar>?) -> String? {
    guard let path = unsafe path else { return nil }
    defer { unsafe free(path) }
    return unsafe String(validatingCString: path)
  }

  private static func target(of link: String) -> String? {
    var characters = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(link, &characters, characters.count)
    guard count > 0 else { return nil }
    let bytes = characters.prefix(count).map(UInt8.init(bitPattern:))
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    let target = text.utf8.first == UInt8(ascii: "/") ? text : split(link).folder + text
    let (folder, name) = split(target)
    return unsafe Self.text(realpath(folder, nil)).map { $0 + "/" + name }
  }
}

/// The name of this machine among others.
package enum HostName {
  /// The name that gethostname(2) returns; empty where the system does not tell.
  package static var current: String {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return "" }
    let bytes = name.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The names of users.
package enum UserName {
  /// The name of a user; the number when the system knows no name.
  package static func of(_ user: UInt32) -> String {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    // Threads share the buffer of getpwuid(3).
    var texts = [CChar](repeating: 0, count: 16_384)
    guard unsafe getpwuid_r(user, &entry, &texts, texts.count, &found) == 0, unsafe found != nil
    else { return "\(user)" }
    return unsafe String(cString: entry.pw_name)
  }
}
