#if os(Linux)
  import ChildProcess

  /// A shell with the tools that create and mount file systems.
  enum MountShell {
    struct CommandFailed: Error {
      let command: String
      let status: Int32
    }

    static func run(_ command: String) async throws {
      let shell = try ChildProcess(
        "/bin/sh", ["-c", "PATH=$PATH:/usr/sbin:/sbin; exec 2>/dev/null; \(command)"])
      let status = await shell.end()
      guard status == 0 else { throw CommandFailed(command: command, status: status) }
    }
  }
#endif
