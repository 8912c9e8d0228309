#if CommandLine
  import Glibc
  import Synchronization

  /// Processes whose end a test awaits.
  final class ProcessNumbers: Sendable {
    private let numbers = Mutex<[pid_t]>([])

    func add(_ number: pid_t) { numbers.withLock { $0.append(number) } }

    /// Returns once all of them have ended. They are not children of this process, so there is nothing to
    /// wait on but their end itself; a zombie counts as ended, too.
    func haveEnded() async -> Bool {
      let numbers = numbers.withLock { $0 }
      guard !numbers.isEmpty else { return false }
      for number in numbers {
        while isRunning(number) { await Task.yield() }
      }
      return true
    }

    private func isRunning(_ number: pid_t) -> Bool {
      guard let file = unsafe fopen("/proc/\(number)/stat", "r") else { return false }
      defer { unsafe fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 256)
      let count = unsafe fread(&bytes, 1, bytes.count, file)
      let state = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: ") ").last
      return state?.first != "Z"
    }
  }
#endif
