#if os(Linux)
  import FreshStoreTesting
  import Glibc
  import Strategies
  import Testing

  @testable import FreshStore

  /// The files beside the database that carry locks.
  @Suite struct CompanionFileTests {
    private func status(_ path: String) throws -> stat {
      var status = stat()
      try #require(unsafe stat(path, &status) == 0)
      return status
    }

    /// Has a store create both of them.
    private func make(_ temporary: TemporaryStore) async throws {
      _ = try await temporary.store.bytes("values").get("k") { _ in .value([1]) }
      try await temporary.store.lockSweeps().release()
    }

    @Test(arguments: [mode_t(0o600), 0o660, 0o666])
    func `every user who may write the database may lock them`(mode: mode_t) async throws {
      try await TemporaryStore.run { temporary in
        _ = unsafe chmod(temporary.path, mode)
        try await make(temporary)
        for suffix in ["-owners", "-sweep"] {
          #expect(try status(temporary.path + suffix).st_mode & 0o777 == mode)
        }
      }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func `created by root they belong to the owner of the database`() async throws {
      try await TemporaryStore.run { temporary in
        _ = unsafe chown(temporary.path, 65534, 65533)
        try await make(temporary)
        for suffix in ["-owners", "-sweep"] {
          let status = try status(temporary.path + suffix)
          #expect(status.st_uid == 65534 && status.st_gid == 65533)
        }
      }
    }

    @Test func `an owner whose file was removed continues in the new file`() throws {
      let folder = try TemporaryFolder()
      let path = folder.file("store.db")
      let (first, second) = (OwnerLock(database: path), OwnerLock(database: path))
      _ = first.claimant
      #expect(unsafe unlink(path + "-owners") == 0)
      _ = second.claimant

      let name = first.claimant
      #expect(!second.isDead(name))
      first.release()
      #expect(second.isDead(name))
    }

    @Test func `the claims of an owner whose file was removed are not taken for a dead owner's`()
      throws
    {
      let folder = try TemporaryFolder()
      let path = folder.file("store.db")
      let (first, second) = (OwnerLock(database: path), OwnerLock(database: path))
      let name = first.claimant
      #expect(unsafe unlink(path + "-owners") == 0)
      _ = second.claimant

      #expect(!second.isDead(name))
    }
  }
#endif
