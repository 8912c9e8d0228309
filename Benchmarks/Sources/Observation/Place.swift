internal import Foundation

/// A folder of its own for a store.
struct Place {
  private let folder: URL
  var path: String { folder.appending(path: "store.db").path }
  /// Appears when the observer is there.
  var ready: String { path + ".ready" }

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "observation-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func remove() {
    // What is left are files in the directory for such files.
    try? FileManager.default.removeItem(at: folder)
  }
}
