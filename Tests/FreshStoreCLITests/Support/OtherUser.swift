#if CommandLine && os(Linux)
  import Glibc

  /// A user without privileges, as which root runs the command.
  enum OtherUser {
    /// The prefix of the command.
    static let command = "setpriv --reuid 65534 --regid 65534 --clear-groups"

    /// Whether root can do so here, and that user may run the command.
    static func isPossible() async -> Bool {
      guard geteuid() == 0 else { return false }
      do {
        let playground = try Playground()
        let run = try await playground.runShell(
          "chmod 755 $folder; \(command) freshstore --version")
        return run.status == 0
      } catch {
        return false
      }
    }
  }
#endif
