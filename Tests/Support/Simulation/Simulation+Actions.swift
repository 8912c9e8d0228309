import FreshStore
import FreshStoreTesting

extension Simulation {
  /// The action of a step in the present world; `nil` when it makes no sense here.
  func action(_ operation: Operation, _ number: Int) -> Action? {
    if let store = operation.store, store >= world.lives.count { return nil }
    let begin: () throws -> Void = { [world] in try world.begin(operation, number) }
    switch operation {
    case .get(let store, let key, let how):
      return Action(begin: begin, lists: get(number, store, [key], how))
    case .getAll(let store, let keys, let how):
      return Action(begin: begin, lists: get(number, store, keys, how))
    case .answer(let key, let which, let reply, let others):
      return answer(key, which, reply, others)
    case .answerLate(let which, let reply): return answerLate(which, reply)
    case .settle(let which, let reply): return settle(which, reply)
    case .save(_, let key, let value, let isDeletion, let coalesces):
      guard let form = world.forms[key]?.value else { return nil }
      let kind: OutboxEntry.Kind = isDeletion ? .delete : .replace
      let options = WriteOptions(coalesces: coalesces)
      return Action(begin: begin) { _ in
        [{ $0.write(number, key, kind, value, options, basedOn: form) }]
      }
    case .enqueue(let store, let key, let value, let coalesces, let priority, let after):
      let options = WriteOptions(
        coalesces: coalesces, priority: priority, after: after.flatMap { models[0].entry($0) })
      return Action {
        [world] in
        world.write(number, store, key, .replace, value, options)
      } parts: { _ in
        [{ $0.write(number, key, .replace, value, options) }]
      }
    case .correct(let which, let value):
      guard let entry = models[0].entry(which) else { return nil }
      return Action {
        [world] in
        world.correct(number, entry, to: value)
      } parts: { _ in
        [{ $0.correct(number, entry, value) }]
      }
    case .retry(let which), .drop(let which):
      guard let entry = models[0].entry(which) else { return nil }
      let drops = operation == .drop(which: which)
      return Action {
        [world] in
        world.change(number, entry, drops: drops)
      } parts: { _ in
        [{ drops ? $0.drop(number, entry) : $0.retry(number, entry) }]
      }
    case .push(let store, let count):
      // Any of them may be the first, whose attempt is the trial of the way.
      let lists = (0..<count).map { place -> [Action.Part] in
        [{ $0.handOut(number, count) }, { $0.send(number, place, by: store) }]
      }
      return Action(begin: begin, lists: lists)
    case .advance, .stepWall, .suspend, .reboot, .network, .reopen, .kill:
      return trouble(operation, number, begin)
    default:
      let parts = parts(operation, number)
      return Action(begin: begin) { _ in parts }
    }
  }

  private func parts(_ operation: Operation, _ number: Int) -> [Action.Part] {
    switch operation {
    case .cancel(let store, let key): [{ $0.cancel(store, key) }]
    case .put(let store, let key, let value, let lifetime, let isTagged):
      [
        { $0.put(number, key, value, lifetime, isTagged) },
        { $0.unseat(store, after: number, key) },
      ]
    case .remove(let store, let key):
      [{ $0.remove(number, key) }, { $0.unseat(store, after: number, key) }]
    case .mark(let store, let scope):
      [{ $0.mark(number, scope) }, { $0.unseat(store, scope) }]
    case .write(_, let key, let kind, let value, let coalesces):
      [{ $0.write(number, key, kind, value, WriteOptions(coalesces: coalesces)) }]
    case .open(let store, let key): [{ $0.noteRead(key, $0.look(key), by: store) }]
    case .increment(_, let key): [{ $0.increment(number, key) }]
    case .sweep(let store): [{ $0.sweep(number, store) }]
    case .hold(_, let origin): [{ $0.hold(number, origin) }]
    case .release(let store, let origin):
      [{ $0.forgetWay(store, to: origin) }, { $0.release(number, origin) }]
    case .endPauses(let store): [{ $0.endPauses(number, store) }]
    case .wipe(let store): [{ $0.wipe(number, store) }]
    default: []
    }
  }

  private func trouble(
    _ operation: Operation, _ number: Int, _ begin: @escaping () throws -> Void
  ) -> Action? {
    let clock = world.machine
    switch operation {
    case .advance(let seconds):
      return Action(begin: begin) { _ in [{ $0.advance(to: clock.reading(), by: seconds) }] }
    case .network(let isOffline):
      return Action(begin: begin) { _ in [{ $0.setOffline(isOffline) }] }
    case .reboot:
      guard world.lives.indices.allSatisfy(mayDie) else { return nil }
      return Action(begin: begin) { _ in
        [{ model in for store in model.processes.indices { model.kill(store) } }]
      }
    case .kill(let store):
      return mayDie(store) ? Action(begin: begin) { _ in [{ $0.kill(store) }] } : nil
    case .reopen(let store):
      let isPushing = world.source.pushes.contains { $0.question.store == store }
      guard !isPushing, !world.isDraining(store) else { return nil }
      return Action(begin: begin) {
        [world] in
        try world.restart(store)
      } parts: { _ in
        [{ $0.close(store, as: number) }]
      }
    default: return Action(begin: begin) { _ in [] }
    }
  }

  /// A dead process does nothing more: one that would continue by itself cannot die here.
  private func mayDie(_ store: Int) -> Bool {
    let isWaiting = models.contains { model in
      model.flights.contains { $0.store == store && !$0.isAsking }
    }
    return !isWaiting && !world.isDraining(store)
  }

  private func get(_ number: Int, _ store: Int, _ keys: [String], _ how: How) -> [[Action.Part]] {
    let begin: [Action.Part] = [{ $0.look(number, store, keys, how) }, { $0.board(number) }]
    // A background fetch proceeds independently of one that is waited for.
    guard keys.count > 1, world.setting.policy.graceWhileRevalidating > .zero else {
      return [begin + fetch(number, [true, false])]
    }
    return [begin + fetch(number, [true]), begin + fetch(number, [false])]
  }

  private func fetch(_ number: Int, _ areBehind: [Bool]) -> [Action.Part] {
    let fetch: [Action.Part] = [
      { model in for isBehind in areBehind { model.claim(number, isBehind: isBehind) } },
      { model in for isBehind in areBehind { model.admit(number, isBehind: isBehind) } },
      { model in for isBehind in areBehind { model.deliver(number, isBehind: isBehind) } },
    ]
    guard world.setting.timeout == nil, world.setting.isGuarded != true else { return fetch }
    // Nothing is ever put off: one step is equivalent, and faster.
    return [{ model in for part in fetch { part(&model) } }]
  }

  private func answer(
    _ key: String, _ which: Int, _ reply: Reply, _ others: Reply?
  ) -> Action? {
    let all = world.source.fetches
    let own = all.indices.filter { all[$0].question.asks(for: key) }
    guard !own.isEmpty else { return nil }
    let index = own[which % own.count]
    let fetch = all[index]
    let place = all[..<index].count { $0.question == fetch.question }
    let replies = Self.replies(fetch.question, key, reply, others)
    var action = Action {
      fetch.request.end(Reply.result(replies))
    } parts: { model in
      let attempts = model.attempts.filter { $0.question == fetch.question }
      guard place < attempts.count else { return [] }
      let (id, flights) = (attempts[place].id, attempts[place].flights.map(\.id))
      return [
        { $0.hear(id, replies) }, { $0.answer(id, replies) },
        { model in for flight in flights { model.deliver(flight: flight) } },
      ]
    }
    action.request = ObjectIdentifier(fetch.request)
    return action
  }

  /// The source's answer for each key; `nil` when it fails.
  private static func replies(
    _ question: SimulatedSource.Question, _ key: String, _ reply: Reply, _ others: Reply?
  ) -> [String: Reply]? {
    guard reply != .failure else { return nil }
    var replies: [String: Reply] = [:]
    for copy in question.copies where others != .failure { replies[copy.key] = others }
    replies[key] = reply
    return replies
  }

  /// Whatever the answer is, no task receives it.
  private func answerLate(_ which: Int, _ reply: Reply) -> Action? {
    let all = world.source.lateFetches
    guard !all.isEmpty else { return nil }
    let late = all[which % all.count]
    let replies = late.question.copies.first.flatMap {
      Self.replies(late.question, $0.key, reply, reply)
    }
    return Action {
      late.request.end(Reply.result(replies))
    } parts: { _ in
      []
    }
  }

  private func settle(_ which: Int, _ reply: PushReply) -> Action? {
    let all = world.source.pushes
    guard !all.isEmpty else { return nil }
    let index = which % all.count
    let push = all[index]
    let place = all[..<index].count { $0.question == push.question }
    var action = Action {
      push.request.end(reply.result)
    } parts: { model in
      let pushes = model.pushes.filter { $0.question == push.question }
      guard place < pushes.count else { return [] }
      let push = pushes[place]
      return [{ $0.hear(push, reply) }, { $0.settle(push, reply) }, { $0.unseat(push) }]
    }
    action.request = ObjectIdentifier(push.request)
    return action
  }
}
