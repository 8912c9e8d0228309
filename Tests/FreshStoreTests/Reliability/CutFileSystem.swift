#if os(Linux)
  import FreshStoreTesting
  import Platform

  /// An ext4 file system in a file, whose power can be cut: unwritten data is then gone, as on a
  /// real disk. For root alone.
  final class CutFileSystem: Sendable {
    private let folder: TemporaryFolder
    /// The mount point.
    let path: String
    private var image: String { folder.file("image") }

    /// Makes one and mounts it.
    init() async throws {
      folder = try TemporaryFolder()
      path = folder.file("mounted")
      try await MountShell.run(
        "truncate -s 64M '\(folder.file("image"))' && mkfs.ext4 -q -F '\(folder.file("image"))' "
          + "&& mkdir '\(path)'")
      try await mount()
    }

    /// Whether such a file system can be made here.
    static func isPossible() async -> Bool {
      guard geteuid() == 0 else { return false }
      do {
        let tried = try await CutFileSystem()
        try await tried.unmount()
        return true
      } catch {
        return false
      }
    }

    /// Cuts the power: nothing is written any more, the journal neither
    /// (`EXT4_IOC_SHUTDOWN`, `EXT4_GOING_FLAGS_NOLOGFLUSH`).
    func cutPower() {
      let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { return }
      var flag: UInt32 = 2
      _ = unsafe ioctl(descriptor, UInt(0x8004_587D), &flag)
      close(descriptor)
    }

    /// Mounts it again, as a machine does when its power is back.
    func restore() async throws {
      try await unmount()
      try await mount()
    }

    private func mount() async throws {
      try await MountShell.run("mount -o loop '\(image)' '\(path)'")
    }

    func unmount() async throws {
      try await MountShell.run("umount '\(path)'")
    }
  }
#endif
