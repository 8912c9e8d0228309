import FreshStoreTesting

/// A folder with a ``Disk`` between SQLite and its files, for as long as the folder is held.
final class DiskFolder: Sendable {
  let folder: TemporaryFolder
  let disk: any Disk

  /// Without a disk of its own it has one that never waits for the real one.
  init(_ disk: any Disk = FaultyDisk()) throws {
    folder = try TemporaryFolder()
    self.disk = disk
    try DiskFileSystem.attach(disk, to: folder.path)
  }

  deinit {
    DiskFileSystem.detach(from: folder.path)
  }

  func file(_ name: String) -> String { folder.file(name) }
}
