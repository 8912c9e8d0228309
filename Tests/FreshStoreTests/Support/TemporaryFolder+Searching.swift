import ChildProcess
import FreshStoreTesting

extension TemporaryFolder {
  private struct SearchFailed: Error {}

  /// The files below the folder that contain a text, in order: another process reads them, as closing a
  /// file of a database drops the locks of this one.
  func files(with text: String) async throws -> [String] {
    let search = try ChildProcess("/bin/grep", ["-rlaF", text, path])
    var found: [String] = []
    while let line = await search.nextLine() { found.append(line) }
    let status = await search.end()
    guard status < 2 else { throw SearchFailed() }
    return found.sorted()
  }
}
