internal import Foundation

/// A folder of its own for everything the benchmark stores.
struct Place {
  private let folder: URL

  /// Makes it in `PEERS_FOLDER`, or in the place of temporary files.
  init() throws {
    let base =
      ProcessInfo.processInfo.environment["PEERS_FOLDER"].map { URL(filePath: $0) }
      ?? FileManager.default.temporaryDirectory
    folder = base.appending(path: "peers-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// The folder.
  var url: URL { folder }

  /// A new empty folder in it.
  func room(_ name: String) throws -> URL {
    let room = folder.appending(path: "\(name)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: room, withIntermediateDirectories: true)
    return room
  }

  func remove() {
    // A leftover lies in the directory for temporary files.
    try? FileManager.default.removeItem(at: folder)
  }
}
