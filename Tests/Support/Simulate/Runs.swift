import Foundation
import Simulation

/// Runs scripts and tells what came of them.
struct Runs {
  let flaw: Flaw?

  /// Runs the scripts of seeds; how many failed.
  func run(_ seeds: Range<UInt64>) -> Int {
    let (start, clock) = (ContinuousClock.now, ContinuousClock())
    var failed = 0
    for seed in seeds {
      let script = Script(seed: seed)
      if let finding = Simulation.finding(script, flaw: flaw) {
        failed += 1
        tell("seed \(seed)", script, finding)
        if failed == 5 { break }
      }
      let done = seed - seeds.lowerBound + 1
      if done.isMultiple(of: 1000) || done == seeds.count {
        let rate = Double(done) / ((clock.now - start) / .seconds(1))
        say("\(done) of \(seeds.count) seeds, \(Int(rate)) a second, \(failed) failed")
      }
    }
    return failed
  }

  /// Runs one script; true when all was as it should be.
  func run(_ script: Script, _ name: String) -> Bool {
    guard let finding = Simulation.finding(script, flaw: flaw) else {
      say("\(name): all is as it should be")
      return true
    }
    tell(name, script, finding)
    return false
  }

  private func tell(_ name: String, _ script: Script, _ finding: Finding) {
    say("\(name) FAILED \(finding)")
    let shrinker = Shrinker { Simulation.finding($0, flaw: flaw) != nil }
    let shrunk = shrinker.shrunk(script)
    let words = Simulation.finding(shrunk, flaw: flaw)
    say("\(shrunk.steps.count) steps are enough; \(words.map { "\($0)" } ?? "not any more"):")
    do {
      say(try shrunk.text)
    } catch {
      say("it cannot be written down: \(error)")
    }
  }

  private func say(_ words: String) {
    print(words)
    fflush(nil)
  }
}
