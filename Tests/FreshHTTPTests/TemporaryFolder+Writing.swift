internal import Foundation
internal import FreshStoreTesting

extension TemporaryFolder {
  /// Writes a file and returns its path.
  func write(_ text: String, as name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }
}
