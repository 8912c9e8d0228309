import FreshStore
import FreshStoreTesting

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// One run of a script: the world and its model side by side, compared after each step.
///
/// It runs every task of the process on the calling thread; a process that runs one does nothing else.
public final class Simulation {
  private let script: Script
  private let world: World
  private var scheduler = Scheduler()
  /// The states that the model may be in: where several tasks are free to go first, there are several.
  private var models: [Model]
  /// The step that is under way, and how many things were begun.
  private var step = -1
  private var begun = 0

  /// Something that is not as it should be.
  private struct Wrong: Error {
    let words: String
  }

  private init(_ script: Script, flaw: Flaw?) throws {
    self.script = script
    world = try World(script.setting, taskClock: scheduler.clock)
    models = [Model(script.setting, at: world.machine.now(), flaw: flaw)]
  }

  /// Takes the tasks of this process over, for good; to be called before anything else.
  public static func begin() { Scheduler.begin() }

  /// Runs a script; `nil` when all was as it should be.
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

  /// The steps that begin together.
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
      for _ in 0..<3 { try scheduler.rest() }
    } catch {
      // The next run has to live with what this one leaves.
    }
  }

  // MARK: Steps

  private func perform(_ group: [Step]) throws {
    for step in group {
      self.step += 1
      try perform(step)
    }
  }

  private func perform(_ step: Step) throws {
    // In one leap a lease would run out before its owner could renew it.
    if case .advance(let seconds) = step.operation, seconds > 2 {
      try perform(Step(.advance(2), luck: step.luck))
      return try perform(Step(.advance(seconds - 2), luck: step.luck))
    }
    let number = begun
    begun += 1
    scheduler.reseed(step.luck)
    let wasDraining = world.lives.indices.map(world.isDraining)
    guard let action = action(step.operation, number) else { return }
    try action.begin()
    try rest()
    if case .reopen(let store) = step.operation { try world.restart(store) }
    for index in models.indices { models[index].now = world.machine.now() }
    models = models.map { model in
      var model = model
      action.apply(&model)
      return model
    }
    try compare(
      draining: world.lives.indices.filter { wasDraining[$0] || world.isDraining($0) })
  }

  /// Lets the tasks run until all wait for the script.
  private func rest() throws {
    try scheduler.rest()
    var patience = 0
    while world.isBusy {
      patience += 1
      guard patience < 2000 else { throw Wrong(words: "an operation never ends") }
      // Watching for the commits of others takes threads of its own.
      usleep(50)
      try scheduler.rest()
    }
  }

  /// What a step does to the world, and to a model.
  private struct Action {
    var begin: () throws -> Void
    var apply: (inout Model) -> Void
  }

  /// `nil` when the step makes no sense here.
  private func action(_ operation: Operation, _ number: Int) -> Action? {
    if let store = operation.store, store >= world.lives.count { return nil }
    var begin: () throws -> Void = { [world] in try world.begin(operation, number) }
    let apply: (inout Model) -> Void
    switch operation {
    case .get(let store, let key, let how): apply = { $0.get(number, store, key, how) }
    case .answer(let key, let which, let reply):
      guard let answer = answer(key, which, reply) else { return nil }
      return answer
    case .settle(let which, let reply):
      guard let answer = settle(which, reply) else { return nil }
      return answer
    case .cancel(let store, let key): apply = { $0.cancel(store, key) }
    case .put(let store, let key, let value, let lifetime, let isTagged):
      apply = { $0.put(number, store, key, value, lifetime, isTagged) }
    case .remove(let store, let key): apply = { $0.remove(number, store, key) }
    case .mark(let store, let scope): apply = { $0.mark(number, store, scope) }
    case .write(_, let key, let kind, let value, let coalesces):
      apply = { $0.write(number, key, kind, value, coalesces: coalesces) }
    case .push(let store, let count): apply = { $0.push(store, count) }
    case .drain(let store): apply = { $0.flush(store) }
    case .sweep(let store): apply = { $0.sweep(number, store) }
    case .retry(let which), .drop(let which):
      guard let entry = models[0].entry(which) else { return nil }
      let drops = operation == .drop(which: which)
      begin = { [world] in world.change(number, entry, drops: drops) }
      apply = { drops ? $0.drop(number, entry) : $0.retry(number, entry) }
    default:
      guard let trouble = trouble(operation, number) else { return nil }
      apply = trouble
    }
    return Action(begin: begin, apply: apply)
  }

  private func trouble(_ operation: Operation, _ number: Int) -> ((inout Model) -> Void)? {
    let clock = world.machine
    switch operation {
    case .advance(let seconds): return { $0.advance(to: clock.now(), by: seconds) }
    case .network(let isOffline): return { $0.isOffline = isOffline }
    case .reboot:
      guard world.lives.indices.allSatisfy(mayDie) else { return nil }
      return { model in for store in model.processes.indices { model.kill(store) } }
    case .kill(let store): return mayDie(store) ? { $0.kill(store) } : nil
    case .reopen(let store):
      let isPushing = world.source.pushes.contains { $0.question.store == store }
      guard !isPushing, !world.isDraining(store) else { return nil }
      return { model in
        model.results[number] = "closed"
        model.close(store)
      }
    default: return { _ in }
    }
  }

  /// A dead process does nothing more: one that would go on by itself cannot die here.
  private func mayDie(_ store: Int) -> Bool {
    let isWaiting = models.contains { model in
      model.flights.contains { $0.store == store && !$0.isAsking }
    }
    return !isWaiting && !world.isDraining(store)
  }

  private func answer(_ key: String, _ which: Int, _ reply: Reply) -> Action? {
    let all = world.source.fetches
    let own = all.indices.filter { all[$0].question.key == key }
    guard !own.isEmpty else { return nil }
    let index = own[which % own.count]
    let fetch = all[index]
    let place = all[..<index].count { $0.question == fetch.question }
    return Action(
      begin: { fetch.request.end(reply.result) },
      apply: { model in
        let flights = model.flights.filter { $0.isAsking && $0.question == fetch.question }
        if place < flights.count { model.answer(flights[place].id, reply) }
      })
  }

  private func settle(_ which: Int, _ reply: PushReply) -> Action? {
    let all = world.source.pushes
    guard !all.isEmpty else { return nil }
    let index = which % all.count
    let push = all[index]
    let place = all[..<index].count { $0.question == push.question }
    return Action(
      begin: { push.request.end(reply.result) },
      apply: { model in
        let pushes = model.pushes.filter { $0.question == push.question }
        if place < pushes.count { model.settle(pushes[place], reply) }
      })
  }

  // MARK: Comparing

  private func compare(draining: [Int]) throws {
    let sight = try Sight(of: world, results: world.takeResults())
    // Reads set alarms.
    try scheduler.runReady()
    var kept: [Model] = []
    var difference: String?
    // Whether a synchronizer or a flight that waits takes a lease that is free, nobody can know.
    let begun = models + models.flatMap { $0.joined(by: sight, draining: draining) }
    let rested = Set(Set(begun).flatMap { $0.rested() })
    for model in Set(rested.flatMap { $0.joined(by: sight, draining: draining) }) {
      if let found = sight.difference(from: Sight(of: model)) {
        difference = difference ?? found
      } else {
        kept.append(model)
      }
    }
    guard !kept.isEmpty else { throw Wrong(words: difference ?? "there is no model") }
    models = Array(
      Set(
        kept.map { model in
          var model = model
          model.results = [:]
          for store in model.processes.indices {
            for key in ScriptWriter.keys { model.noteRead(key, model.look(key), by: store) }
          }
          return model
        }))
  }

  // MARK: The end

  /// Lets everything come to its end: every fetch is answered, every write is sent and accepted.
  private func converge() throws {
    step += 1
    try perform(Step(.network(isOffline: false)))
    var value = 1_000_000
    for _ in 0..<12 {
      for _ in 0..<100 {
        value += 1
        if let fetch = world.source.fetches.first {
          try perform(
            Step(
              .answer(
                key: fetch.question.key, which: 0,
                reply: .value(value, .forever, isTagged: nil))))
        } else if !world.source.pushes.isEmpty {
          try perform(Step(.settle(which: 0, reply: .accepted)))
        } else {
          break
        }
      }
      let left = models[0].entries.values.joined().count
      if left == 0 { return try finish() }
      for which in 0..<left { try perform(Step(.retry(which: which))) }
      try perform(Step(.suspend(10_000)))
      try perform(Step(.drain(store: 0)))
    }
    throw Wrong(words: "the outbox is never empty")
  }

  private func finish() throws {
    for store in world.lives.indices { try perform(Step(.reopen(store: store))) }
    world.check(begun)
    try rest()
    let words = world.takeResults()[begun] ?? "nothing"
    if words != "sound" { throw Wrong(words: "the file is \(words)") }
  }
}
