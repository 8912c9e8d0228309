public import Foundation
internal import SanitizerSuppressions

/// The command that was built beside the tests.
public enum BuiltCommand {
  /// The environment in which tests run it: it is found first, and a sanitizer that it was built with leaves
  /// out what is no fault of the command.
  ///
  /// - Parameter folder: The home; a file of the sanitizer's is written there.
  public static func environment(in folder: URL) throws -> [String: String] {
    let suppressions = folder.appending(path: ".suppressions")
    let text = unsafe String(cString: __tsan_default_suppressions())
    try Data(text.utf8).write(to: suppressions)
    return [
      "PATH": "\(self.folder):/usr/local/bin:/usr/bin:/bin", "HOME": folder.path,
      "TSAN_OPTIONS": "suppressions=\(suppressions.path)",
      // Weak references of Swift's look like leaks to it.
      "ASAN_OPTIONS": "detect_leaks=0",
    ]
  }

  private static let folder: String = {
    // Without /proc the first argument names the tests.
    let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: tests ?? CommandLine.arguments[0]).deletingLastPathComponent().path
  }()
}
