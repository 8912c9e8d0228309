import Synchronization

/// A disk that fails on request. It never waits for the real one: no test with it cuts the power.
final class FaultyDisk: Disk {
  private struct State {
    var fault: Fault?
    var calls = 0
    var failures = 0
  }

  private let state = Mutex(State())

  /// Fails from now on, counting anew; `nil` ends all faults.
  func set(_ fault: Fault?) {
    state.withLock { $0 = State(fault: fault) }
  }

  /// The number of failed calls since.
  var failures: Int { state.withLock { $0.failures } }

  func verdict(on call: DiskCall, of file: String) -> DiskVerdict {
    let isSync = call.kind == .sync
    let failure = state.withLock { state -> DiskVerdict? in
      guard let fault = state.fault, let failure = Fault.verdict(fault.trouble, on: call) else {
        return nil
      }
      state.calls += 1
      guard state.calls == fault.number || fault.lasts && state.calls > fault.number else {
        return nil
      }
      state.failures += 1
      return failure
    }
    return failure ?? (isSync ? .skip : .proceed)
  }
}
