#if CommandLine && os(Linux)
  import Glibc

  /// Processes with clocks of their own.
  enum TimeNamespaces {
    /// Whether they are available here.
    static func arePossible() async -> Bool {
      guard geteuid() == 0 else { return false }
      do {
        let run = try await Playground().runShell("unshare -T --boottime 60 --monotonic 60 true")
        return run.status == 0
      } catch {
        return false
      }
    }
  }
#endif
