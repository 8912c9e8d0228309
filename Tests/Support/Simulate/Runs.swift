import Foundation
import Simulation

/// Runs scripts and reports the results.
struct Runs {
  let mistake: Course.Mistake
  var kinds = Course.Kind.allCases
  /// The operations and settings left out of histories.
  var muted: Set<String> = []
  /// The size of the large values of every script, in bytes; `nil` for what each seed decides.
  var largeValues: Int?
  /// Every failing seed is reported in a line, and none is shrunk.
  var isSurvey = false

  /// After how many failures no further seed is run.
  var mostFailures = 5

  /// Runs the scripts of seeds, of each kind; returns the number of failures.
  func run(_ seeds: Range<UInt64>) -> Int {
    let (start, clock) = (ContinuousClock.now, ContinuousClock())
    var failed = 0
    for seed in seeds {
      for kind in kinds { failed += run(course(kind, seed), seed) ? 0 : 1 }
      if failed >= mostFailures, !isSurvey { break }
      let done = seed - seeds.lowerBound + 1
      if done.isMultiple(of: 1000) || done == seeds.count {
        let rate = Double(done) / ((clock.now - start) / .seconds(1))
        say("\(done) of \(seeds.count) seeds, \(Int(rate)) a second, \(failed) failed")
      }
    }
    return failed
  }

  /// The script of a seed, as the options change it.
  func course(_ kind: Course.Kind, _ seed: UInt64) -> Course {
    Course(kind, seed: seed).without(muted).withLargeValues(largeValues)
  }

  private func run(_ course: Course, _ seed: UInt64) -> Bool {
    guard let finding = course.finding(mistake) else { return true }
    if isSurvey {
      say("seed \(seed) of \(course.kind) FAILED \(finding)")
    } else {
      tell("seed \(seed) of \(course.kind)", course, finding)
    }
    return false
  }

  /// Runs one script; true when it succeeded.
  func run(_ course: Course, _ name: String) -> Bool {
    guard let finding = course.finding(mistake) else {
      say("\(name): all is as it should be")
      return true
    }
    tell(name, course, finding)
    return false
  }

  private func tell(_ name: String, _ course: Course, _ finding: Finding) {
    say("\(name) FAILED \(finding)")
    let shrunk = course.shrunk(finding, mistake)
    let words = shrunk.finding(mistake)
    say("\(shrunk.length) steps are enough; \(words.map { "\($0)" } ?? "not any more"):")
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
