#if os(Linux)
  import FreshStoreTesting
  import Glibc

  /// A file system in memory, of one test's own, gone with it. For root alone.
  final class MountedFolder: Sendable {
    private let folder: TemporaryFolder
    /// The mount point.
    let path: String

    /// Mounts one.
    init(size: String) async throws {
      folder = try TemporaryFolder()
      path = folder.file("mounted")
      try await MountShell.run(
        "mkdir '\(path)' && mount -t tmpfs -o size=\(size) freshstore '\(path)'")
    }

    deinit {
      // However the test ended; a process inside continues with files without names.
      _ = unsafe umount2(path, Int32(MNT_DETACH))
    }

    /// Whether one can be mounted here.
    static func isPossible() async -> Bool {
      guard geteuid() == 0 else { return false }
      do {
        _ = try await MountedFolder(size: "1m")
        return true
      } catch {
        return false
      }
    }

    /// The path of a file in it.
    func file(_ name: String) -> String { path + "/" + name }

    /// Changes its mount options, such as `ro` or `size=4m`; tried for ten seconds, because a process that
    /// another test is just starting holds the open files until it executes another program.
    func remount(_ options: String) async throws {
      let mount = "mount -o remount,\(options) '\(path)'"
      try await MountShell.run(
        "tries=0; until \(mount); do tries=$((tries + 1)); [ $tries -lt 200 ] || exit 32; "
          + "sleep 0.05; done")
    }
  }
#endif
