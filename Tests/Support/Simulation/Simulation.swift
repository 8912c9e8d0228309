import FreshStore
import FreshStoreTesting
import Platform

/// One run of a script: the world and its model side by side, compared after each step.
///
/// It runs every task of the process on the calling thread; such a process does nothing else.
public final class Simulation {
  private let script: Script
  let world: World
  private var scheduler = Scheduler()
  /// The possible states of the model: there are several where several tasks are free to go first.
  private(set) var models: [Model]
  /// The step that is running, and the number of operations begun.
  private var step = -1
  private var begun = 0

  /// A violation.
  private struct Wrong: Error {
    let words: String
  }

  private init(_ script: Script, flaw: Flaw?) throws {
    self.script = script
    world = try World(script.setting, taskClock: scheduler.clock)
    models = [Model(script.setting, at: world.machine.reading(), flaw: flaw)]
  }

  /// Takes over the tasks of this process, permanently; has to be called first.
  public static func begin() { Scheduler.begin() }

  /// Runs a script; `nil` when it succeeded.
  public static func finding(_ script: Script, flaw: Flaw? = nil) -> Finding? {
    do {
      let simulation = try Simulation(script, flaw: flaw)
      let finding = simulation.run()
      simulation.end()
      return finding
    } catch {
      return Finding(step: 0, words: "the world cannot be made: \(error)")
    }
  }

  private func run() -> Finding? {
    do {
      for group in groups { try perform(group) }
      try converge()
      return nil
    } catch let wrong as Wrong {
      return Finding(step: step, words: wrong.words)
    } catch is Scheduler.Restless {
      return Finding(step: step, words: "the tasks never come to rest")
    } catch {
      return Finding(step: step, words: "\(error)")
    }
  }

  /// The steps that start together.
  private var groups: [[Step]] {
    var groups: [[Step]] = []
    for step in script.steps {
      if step.joins, step.operation.mayJoin, let last = groups.last, last.count < 3,
        last.allSatisfy(\.operation.mayJoin)
      {
        groups[groups.count - 1].append(step)
      } else {
        groups.append([step])
      }
    }
    return groups
  }

  private func end() {
    world.end()
    do {
      scheduler.reseed(0)
      // A closing store waits for a thread whose work would otherwise fall into the next run.
      try rest()
      for _ in 0..<3 { try scheduler.rest() }
    } catch {
      // The next run would inherit the leftovers of this one.
    }
  }

  // MARK: Steps

  private func perform(_ group: [Step]) throws {
    step += group.count
    // In one leap a lease would expire before its owner could renew it.
    if case .advance(let seconds)? = group.first?.operation, seconds > 2 {
      for start in stride(from: 0, to: seconds, by: 2) {
        try begin([Step(.advance(min(2, seconds - start)), luck: group[0].luck)])
      }
    } else if world.isDraining || mayMeetKnownConflict(group) {
      // The actions of a synchronizer meanwhile are seen only at the end of each.
      for step in group { try begin([step]) }
    } else {
      try begin(group)
    }
  }

  /// A write whose conflict is known looks at the outbox more than once when it is sent.
  private func mayMeetKnownConflict(_ group: [Step]) -> Bool {
    group.contains(where: \.operation.sends)
      && (group.contains(where: \.operation.isBased) || models.contains(where: \.hasBasis))
  }

  /// Executes one event.
  private func perform(_ operation: Operation) throws { try begin([Step(operation)]) }

  private func begin(_ group: [Step]) throws {
    scheduler.reseed(group[0].luck)
    var draining = Set(world.lives.indices.filter(world.isDraining))
    for case .drain(let store) in group.map(\.operation) { draining.insert(store) }
    var actions: [Action] = []
    for step in group {
      if let action = action(step.operation, begun),
        action.request == nil || !actions.contains(where: { $0.request == action.request })
      {
        actions.append(action)
      }
      begun += 1
    }
    guard !actions.isEmpty else { return }
    for action in actions { try action.begin() }
    try rest()
    for action in actions { try action.end?() }
    for index in models.indices { models[index].setClock(to: world.machine.reading()) }
    let sight = try Sight(of: world, results: world.takeResults())
    models = models.flatMap { model in
      Interleaving.outcomes(of: actions.flatMap { $0.lists(model) }, from: model) {
        $0.joined(by: sight, draining: draining.sorted())
      }
    }
    try compare(with: sight, draining: draining.sorted())
  }

  /// Lets the tasks run until all wait for the script.
  private func rest() throws {
    try scheduler.rest()
    var patience = 0
    while world.isBusy {
      patience += 1
      // Seconds, in case the machine has other work to do.
      guard patience < 50_000 else { throw Wrong(words: "an operation never ends") }
      // A closing store waits for a thread, even one that watched nothing.
      usleep(50)
      try scheduler.rest()
    }
  }

  // MARK: Comparing

  private func compare(with sight: Sight, draining: [Int]) throws {
    // Reads set alarms.
    try scheduler.runReady()
    var kept: [Model] = []
    var difference: String?
    // Whether a waiting synchronizer or flight takes a free lease is unknown.
    let early = models + models.flatMap { $0.joined(by: sight, draining: draining) }
    let expired = Set(Set(early).flatMap { $0.expired() })
    let begun = expired.flatMap { [$0] + $0.joined(by: sight, draining: draining) }
    let rested = Set(Set(begun).flatMap { $0.rested() })
    for model in Set(rested.flatMap { $0.joined(by: sight, draining: draining) }) {
      if let found = sight.difference(from: Sight(of: model)) {
        // The nearest model is the one that tells most.
        if found.count < difference?.count ?? .max { difference = found }
      } else {
        kept.append(model)
      }
    }
    guard !kept.isEmpty else { throw Wrong(words: difference ?? "there is no model") }
    models = Array(
      Set(
        kept.map { model in
          var model = model
          (model.results, model.lateRenewals) = ([:], [])
          (model.gets, model.handedOut) = ([:], [:])
          for store in model.processes.indices {
            for key in ScriptWriter.keys { model.noteRead(key, model.look(key), by: store) }
          }
          return model
        }))
  }

  // MARK: The end

  /// Lets everything end: every fetch is answered, every write is sent and accepted.
  private func converge() throws {
    step += 1
    try perform(.network(isOffline: false))
    if !models[0].holds.isEmpty { try perform(.endPauses(store: 0)) }
    var value = 1_000_000
    for _ in 0..<12 {
      for _ in 0..<100 {
        value += 1
        if let fetch = world.source.fetches.first {
          try perform(
            .answer(
              key: fetch.question.copies[0].key, which: 0,
              reply: .value(value, .forever, isTagged: nil), others: nil))
        } else if !world.source.pushes.isEmpty {
          try perform(.settle(which: 0, reply: .accepted))
        } else {
          break
        }
      }
      if script.setting.conflicts == .parks {
        // Nobody decides of what is parked again and again.
        while let which = models[0].contested { try perform(.drop(which: which)) }
      }
      let left = models[0].entries.values.joined().count
      if left == 0 { return try finish() }
      for which in 0..<left { try perform(.retry(which: which)) }
      try perform(.suspend(10_000))
      try perform(.drain(store: 0))
    }
    throw Wrong(words: "the outbox is never empty")
  }

  private func finish() throws {
    if world.isDraining { throw Wrong(words: "a synchronizer never ends") }
    for store in world.lives.indices { try perform(.reopen(store: store)) }
    world.check(begun)
    try rest()
    let words = world.takeResults()[begun] ?? "nothing"
    if words != "sound" { throw Wrong(words: "the file is \(words)") }
  }
}
