/// The work of the measured modules, in a measure that is the same on every machine and in every
/// run.
///
/// It counts how often a region of their code was entered: a function, a branch or the body of a
/// loop. The compiler counts that for coverage (`-profile-generate`).
enum Steps {
  /// The steps that some work takes.
  static func count(_ work: () -> Void) -> Int {
    let before = total
    work()
    return Int(total &- before)
  }

  private static var total: UInt64 {
    let start = unsafe firstCounter()
    let count = unsafe lastCounter() - start
    return unsafe UnsafeBufferPointer(start: start, count: count).reduce(0, &+)
  }
}

@_silgen_name("__llvm_profile_begin_counters")
private func firstCounter() -> UnsafePointer<UInt64>

@_silgen_name("__llvm_profile_end_counters")
private func lastCounter() -> UnsafePointer<UInt64>
