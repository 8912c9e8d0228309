import Foundation

/// A folder of this process for the files of a store, beneath the one for temporary files (`TMPDIR`).
///
/// The laws use one after the other, so it is made once and emptied before every use.
struct StoreFolder {
  let path: String

  /// The folder of that name, emptied.
  static func fresh(_ name: String = "store") -> StoreFolder {
    let folder = StoreFolder(path: "\(parent)/\(name)")
    attempting {
      let manager = FileManager.default
      try manager.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
      for name in try manager.contentsOfDirectory(atPath: folder.path) {
        try manager.removeItem(atPath: folder.file(name))
      }
    }
    return folder
  }

  private static let parent: String = {
    let process = ProcessInfo.processInfo.processIdentifier
    return FileManager.default.temporaryDirectory.path + "/freshstore-fuzz-\(process)"
  }()

  /// The path of a file in it.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  func write(_ bytes: [UInt8], to name: String) {
    Self.attempting { try Data(bytes).write(to: URL(filePath: file(name))) }
  }

  /// The bytes of every file, by name.
  var contents: [String: [UInt8]] {
    Self.attempting {
      let names = try FileManager.default.contentsOfDirectory(atPath: path)
      return Dictionary(
        uniqueKeysWithValues: try names.map { name in
          (name, [UInt8](try Data(contentsOf: URL(filePath: file(name)))))
        })
    }
  }

  private static func attempting<Result>(_ body: () throws -> Result) -> Result {
    // Without its files nothing can be checked, and there is no caller to throw to.
    do { return try body() } catch { fatalError("the folder of the laws: \(error)") }
  }
}
