import Foundation
import Simulation

/// Runs scripts of what may happen to stores, and compares them with a model.
///
/// `Simulate --seeds FIRST..<LAST` runs the scripts of many seeds, tells how it goes, and shrinks and
/// prints those that fail; `--seed N` prints the script of one and runs it; `--script FILE` runs a
/// script from a file. `--flaw NAME` makes the model wrong on purpose. Ends with 1 when a script
/// failed.
@main
struct Simulate {
  static func main() throws {
    beginAnew()
    var (options, arguments) = ([String: String](), CommandLine.arguments.dropFirst())
    while let name = arguments.popFirst(), let value = arguments.popFirst() {
      options[name] = value
    }
    let flaw = options["--flaw"].flatMap(Flaw.init)
    Simulation.begin()
    let runs = Runs(flaw: flaw)
    if let seeds = options["--seeds"].flatMap(range) {
      exit(runs.run(seeds) == 0 ? 0 : 1)
    } else if let seed = options["--seed"].flatMap(UInt64.init) {
      let script = Script(seed: seed)
      print(try script.text)
      exit(runs.run(script, "seed \(seed)") ? 0 : 1)
    } else if let file = options["--script"] {
      let script = try Script(text: String(contentsOfFile: file, encoding: .utf8))
      exit(runs.run(script, file) ? 0 : 1)
    }
    print("usage: Simulate --seeds FIRST..<LAST | --seed N | --script FILE [--flaw NAME]")
    exit(64)
  }

  private static func range(_ words: String) -> Range<UInt64>? {
    let ends = words.split(separator: "..<").compactMap { UInt64($0) }
    return ends.count == 2 && ends[0] <= ends[1] ? ends[0]..<ends[1] : nil
  }

  /// Starts the program anew with what a run must not depend on: hashing is seeded by chance, and a
  /// disk takes its time.
  private static func beginAnew() {
    guard unsafe getenv("SWIFT_DETERMINISTIC_HASHING") == nil else { return }
    unsafe setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
    if FileManager.default.isWritableFile(atPath: "/dev/shm") {
      unsafe setenv("TMPDIR", "/dev/shm", 1)
    }
    // Returns only when it fails: then this one goes on.
    unsafe execv("/proc/self/exe", CommandLine.unsafeArgv)
  }
}
