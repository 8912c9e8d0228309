import FreshStore
import Testing

/// The search for the kind of a file system in the kernel's list of mounts.
@Suite struct MountTests {
  private let mounts = """
    22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
    23 22 0:5 / /srv rw shared:2 - nfs4 server:/srv rw
    24 23 0:6 / /srv/local rw - xfs /dev/sdb1 rw
    25 22 0:7 / /mnt/two\\040words rw master:1 - fuse.sshfs host: rw
    26 22 0:8 / /data rw - tmpfs tmpfs rw
    27 26 0:9 / /data rw - btrfs /dev/sdc rw
    """

  @Test(arguments: [
    ("/", "ext4"), ("/home/user", "ext4"), ("/srv", "nfs4"), ("/srv/store", "nfs4"),
    ("/srvother", "ext4"), ("/srv/local/a", "xfs"), ("/mnt/two words/a", "fuse.sshfs"),
    ("/data/a", "btrfs"),
  ])
  func `the longest mount point above a path counts, and the last of several`(
    path: String, kind: String
  ) {
    #expect(FoundFileSystem.kind(of: path, in: mounts) == kind)
  }

  @Test(arguments: [
    ("nfs", true), ("nfs4", true), ("cifs", true), ("9p", true), ("fuse.sshfs", true),
    ("fuseblk", true), ("ext4", false), ("xfs", false), ("btrfs", false), ("tmpfs", false),
    ("overlay", false),
  ])
  func `network and FUSE file systems are those on which the log may not work`(
    kind: String, isShared: Bool
  ) {
    #expect(FoundFileSystem.isShared(kind) == isShared)
  }

  @Test(arguments: ["", "nonsense", "1 2 3 - x", "22 1 8:1 / / rw", " - "])
  func `an invalid list gives no result`(mounts: String) {
    #expect(FoundFileSystem.kind(of: "/a", in: mounts) == nil)
  }
}
