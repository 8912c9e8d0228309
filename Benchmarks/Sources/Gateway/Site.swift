internal import Foundation

/// Where a cache lives, and in front of what.
struct Site {
  let folder: URL
  let port: UInt16
  /// The port of the origin.
  let origin: UInt16

  /// Makes a folder in it, which a server that runs as another user may write to.
  func makeFolder(_ name: String) throws -> String {
    let path = folder.appending(path: name).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
    return path
  }

  /// Writes a file in it, and returns its path.
  func write(_ text: String, to name: String) throws -> String {
    let file = folder.appending(path: name)
    try Data(text.utf8).write(to: file)
    return file.path
  }
}
