import Foundation

/// A folder of this process for the files of a store, in memory where the system has such a place.
///
/// The laws use one after the other, so it is made once and emptied before every use.
struct StoreFolder {
  let path: String

  /// Emptied.
  static func fresh() -> StoreFolder {
    let folder = StoreFolder(path: Self.path)
    folder.removeAll()
    return folder
  }

  private static let path: String = {
    let memory = "/dev/shm"
    let parent =
      FileManager.default.isWritableFile(atPath: memory)
      ? memory : FileManager.default.temporaryDirectory.path
    let path = "\(parent)/freshstore-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
    attempting { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    return path
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

  private func removeAll() {
    Self.attempting {
      for name in try FileManager.default.contentsOfDirectory(atPath: path) {
        try FileManager.default.removeItem(atPath: file(name))
      }
    }
  }

  /// Without its files nothing can be checked, and there is no caller to throw to.
  @discardableResult
  private static func attempting<Result>(_ body: () throws -> Result) -> Result {
    do { return try body() } catch { fatalError("the folder of the laws: \(error)") }
  }
}
