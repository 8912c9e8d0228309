import FreshStore
import FreshStoreTesting
import Platform

/// One run of a script whose operations interrupt one another, judged by its history.
///
/// Like a ``Simulation``, it runs every task of the process on the calling thread.
public final class HistoryRun {
  private let script: HistoryScript
  private let world: HistoryWorld
  private var scheduler = Scheduler()
  private var step = -1

  /// The time limit for all remaining work at the end, in seconds: longer where the claims of a dead
  /// process have to expire first.
  private var patience: Int {
    // Hosts wait for one another's leases and pauses, too.
    world.fleet == nil ? patienceOfOneHost : 2 * patienceOfOneHost
  }

  private var patienceOfOneHost: Int {
    if world.hasKilled { return 900 }
    switch world.setting.trouble {
    case nil: return 90
    // A hanging request is given up only later, and must not hold up anything else until then.
    case .hangs: return 150
    case .rejectsWrites, .alwaysConflicts, .isTooLarge: return 900
    }
  }

  private struct Wrong: Error {
    let words: String
  }

  private init(_ script: HistoryScript, flaw: HistoryFlaw?) throws {
    self.script = script
    world = try HistoryWorld(script.setting, taskClock: scheduler.clock, flaw: flaw)
  }

  /// Runs a script; `nil` when it succeeded.
  public static func finding(_ script: HistoryScript, flaw: HistoryFlaw? = nil) -> Finding? {
    do {
      let run = try HistoryRun(script, flaw: flaw)
      let finding = run.run()
      run.end()
      return finding
    } catch {
      return Finding(step: 0, words: "the world cannot be made: \(error)")
    }
  }

  private func run() -> Finding? {
    do {
      for step in script.steps { try perform(step) }
      step += 1
      try conclude()
      return nil
    } catch let wrong as Wrong {
      return Finding(step: step, words: wrong.words)
    } catch is Scheduler.Restless {
      return Finding(step: step, words: "the tasks never come to rest")
    } catch {
      return Finding(step: step, words: "\(error)")
    }
  }

  // MARK: Steps

  private func perform(_ step: HistoryStep) throws {
    self.step += 1
    scheduler.reseed(step.luck)
    // Work that a dead process had begun must not continue.
    if case .kill = step.operation { try rest() }
    try begin(step)
    if case .kill = step.operation { try rest() }
    try look()
    try world.judgeOutbox()
    try judge()
  }

  /// Reads everything, after the places of the hosts among the marks of their fleet.
  private func look() throws {
    try world.judgeFleet()
    world.readAll()
  }

  private func begin(_ step: HistoryStep) throws {
    guard case .lock = step.operation else {
      try world.begin(step.operation)
      return try run(step.cut)
    }
    world.wasLocked = true
    world.fleet?.laws.noteLock()
    let lock = try WriteLock(world.folder.file("store.db"))
    try scheduler.run(step.cut ?? 1000)
    lock.end()
  }

  private func run(_ cut: Int?) throws {
    if let cut { try scheduler.run(cut) } else { try rest() }
  }

  private func judge() throws {
    if let finding = world.history.finding ?? world.heldUp() { throw Wrong(words: finding) }
  }

  /// Lets the tasks run until all wait for the script.
  private func rest() throws {
    try scheduler.rest()
    world.history.noteRest()
    world.fleet?.noteRest()
  }

  // MARK: The end

  /// With a source that answers, the synchronizers alone finish all remaining work in time,
  /// and nothing was lost.
  private func conclude() throws {
    scheduler.reseed(0)
    // Tasks that had to wait for the source's answer go first.
    world.source.beginToAnswer()
    try rest()
    try world.beginToEnd()
    try rest()
    var seconds = 0
    while let waiting = try waiting(after: seconds) {
      try judge()
      guard seconds < patience else {
        throw Wrong(words: "after \(patience) seconds with a source that answers, \(waiting)")
      }
      try world.keepRunning()
      let leap = seconds < 20 ? 2 : 10
      seconds += leap
      for _ in 0..<(leap / 2) {
        try world.begin(.advance(2))
        try rest()
      }
    }
    try judge()
    if let holes = try world.holes() { throw Wrong(words: holes) }
    world.history.applyAll()
    try look()
    world.history.judgeWrites(besides: try world.held())
    try judge()
    try check()
  }

  private func waiting(after seconds: Int) throws -> String? {
    // A request that failed a moment ago waits for its pause.
    if world.setting.trouble != nil, seconds < 60 { return "much" }
    return try world.waiting()
  }

  private func check() throws {
    _ = world.takeResults()
    for host in 0..<world.setting.hosts { world.check(host + 1, on: host) }
    try rest()
    let results = world.takeResults()
    for host in 0..<world.setting.hosts {
      let words = results[host + 1] ?? "nothing"
      if words != "sound" { throw Wrong(words: "the file is \(words)") }
    }
  }

  private func end() {
    world.end()
    do {
      try scheduler.rest()
      // A closing store waits for a thread whose work would otherwise fall into the next run.
      for _ in 0..<20_000 where world.isBusy {
        usleep(50)
        try scheduler.rest()
      }
      for _ in 0..<3 { try scheduler.rest() }
    } catch {
      // The next run would inherit the leftovers of this one.
    }
  }
}
