import Foundation
import Simulation

/// Runs scripts of events in stores. Scripts of steps are compared with a model. Histories may be
/// interrupted anywhere, and are judged by the answers of the source and the stores.
///
/// - `Simulate --seeds FIRST..<LAST` runs the scripts of many seeds and reports progress. It
///   shrinks and prints up to five scripts that fail.
/// - `--failures N` prints up to so many of them.
/// - `--survey yes` only counts them, all of them.
/// - `--seed N` prints the scripts of one seed and runs them.
/// - `--script FILE` runs a script from a file.
/// - `--kind steps` or `--kind histories` leaves the other kind out.
/// - `--without remove,prune` leaves operations out of histories, so that one defect does not hide
///   others. `twins`, `fleet` and `trouble` leave those settings out.
/// - `--large BYTES` gives every script values around that size; few scripts have such values
///   otherwise.
/// - `--flaw NAME` makes the model or the source wrong on purpose.
///
/// Ends with 1 when a script failed.
@main
struct Simulate {
  static func main() throws {
    beginAnew()
    var (options, arguments) = ([String: String](), CommandLine.arguments.dropFirst())
    while let name = arguments.popFirst(), let value = arguments.popFirst() {
      options[name] = value
    }
    Simulation.begin()
    var runs = Runs(mistake: Course.Mistake(options["--flaw"]))
    runs.isSurvey = options["--survey"] == "yes"
    runs.muted = Set((options["--without"] ?? "").split(separator: ",").map(String.init))
    runs.largeValues = options["--large"].flatMap(Int.init)
    if let count = options["--failures"].flatMap(Int.init) { runs.mostFailures = count }
    if let kind = options["--kind"].flatMap(Course.Kind.init) { runs.kinds = [kind] }
    if let seeds = options["--seeds"].flatMap(range) {
      exit(runs.run(seeds) == 0 ? 0 : 1)
    } else if let seed = options["--seed"].flatMap(UInt64.init) {
      var areWell = true
      for kind in runs.kinds {
        let course = runs.course(kind, seed)
        print(try course.text)
        areWell = runs.run(course, "seed \(seed) of \(kind)") && areWell
      }
      exit(areWell ? 0 : 1)
    } else if let file = options["--script"] {
      let course = try Course(text: String(contentsOfFile: file, encoding: .utf8))
      exit(runs.run(course, file) ? 0 : 1)
    }
    print(
      "usage: Simulate --seeds FIRST..<LAST [--survey yes | --failures N] | --seed N | --script FILE "
        + "[--kind steps|histories] [--without NAMES] [--large BYTES] [--flaw NAME]")
    exit(64)
  }

  private static func range(_ words: String) -> Range<UInt64>? {
    let ends = words.split(separator: "..<").compactMap { UInt64($0) }
    return ends.count == 2 && ends[0] <= ends[1] ? ends[0]..<ends[1] : nil
  }

  /// Restarts the program without the influences that a run must not depend on: hashing is seeded
  /// randomly, and disk access takes a variable time.
  private static func beginAnew() {
    guard unsafe getenv("SWIFT_DETERMINISTIC_HASHING") == nil else { return }
    unsafe setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
    if FileManager.default.isWritableFile(atPath: "/dev/shm") {
      unsafe setenv("TMPDIR", "/dev/shm", 1)
    }
    // Returns only on failure: then this process continues.
    unsafe execv("/proc/self/exe", CommandLine.unsafeArgv)
  }
}
