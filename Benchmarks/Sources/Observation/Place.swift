internal import Foundation

/// A folder of its own for a store.
struct Place {
  private let folder: URL
  var path: String { folder.appending(path: "store.db").path }
  /// Appears when the observer is ready.
  var ready: String { path + ".ready" }

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "observation-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func remove() {
    // A leftover lies in the directory for temporary files.
    try? FileManager.default.removeItem(at: folder)
  }
}
