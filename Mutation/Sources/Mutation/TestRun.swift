import Foundation

/// A run of the built tests.
struct TestRun {
  static let program = ".build/debug/FreshStorePackageTests.xctest"

  var scratch: Scratch
  var arguments: [String]
  var limit: Int
  var environment: [String: String] = [:]

  init(scratch: Scratch, arguments: [String], limit: Int) {
    self.scratch = scratch
    self.arguments = arguments
    self.limit = limit
  }

  init(scratch: Scratch, suites: [String], limit: Int) {
    self.init(
      scratch: scratch,
      arguments: suites.flatMap { ["--filter", "^\($0.replacing(".", with: "\\."))/"] },
      limit: limit)
  }

  /// A mutant may write or allocate without end: there is a limit to both, far above the needs of a
  /// test. The stacks are eight times as large as usual: functions that hold mutants need more.
  var command: Command {
    let program = "ulimit -f 2000000 -v 16000000 -s 65536; exec \"$@\""
    return Command(
      arguments: [
        "bash", "-c", program, "bash", Self.program, "--testing-library", "swift-testing",
      ]
        + arguments,
      folder: scratch.package,
      environment: environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }, limit: limit,
      log: scratch.log)
  }
}
