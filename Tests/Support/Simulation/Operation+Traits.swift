extension Operation {
  /// The store of the operation.
  var store: Int? {
    switch self {
    case .get(let store, _, _), .getAll(let store, _, _), .cancel(let store, _),
      .put(let store, _, _, _, _),
      .remove(let store, _), .mark(let store, _), .write(let store, _, _, _, _),
      .open(let store, _), .save(let store, _, _, _, _), .increment(let store, _),
      .enqueue(let store, _, _, _, _, _), .hold(let store, _), .release(let store, _),
      .endPauses(let store), .wipe(let store),
      .push(let store, _), .drain(let store), .sweep(let store), .reopen(let store),
      .kill(let store):
      store
    case .answer, .answerLate, .settle, .retry, .correct, .drop, .advance, .stepWall, .suspend,
      .reboot, .network:
      nil
    }
  }

  /// True when it may start together with others.
  var mayJoin: Bool {
    switch self {
    // The resolution of a conflict looks at the outbox more than once.
    case .settle(_, .conflict): false
    case .get, .getAll, .answer, .answerLate, .put, .remove, .mark, .write, .save, .increment,
      .enqueue, .correct, .hold, .release, .push, .settle:
      true
    case .open, .cancel, .drain, .retry, .drop, .sweep, .endPauses, .wipe, .advance, .stepWall,
      .suspend,
      .reboot,
      .network, .reopen, .kill:
      false
    }
  }

  /// True when it makes a write that may be based on another version than the present one.
  var isBased: Bool { if case .save = self { true } else { false } }

  /// True when it sends local writes.
  var sends: Bool { if case .push = self { true } else { false } }
}
