#if os(Linux)
  import FreshStoreTesting
  import Glibc
  import StoreSupport
  import Testing

  @testable import FreshStore

  /// Two stores of one file: the locks of one are seen by the other, whichever process it is in.
  @Suite struct ReadingLocksTests {
    private func withLocks(
      _ body: (_ here: ReadingLocks, _ there: ReadingLocks, _ file: String) throws -> Void
    ) throws {
      let folder = try TemporaryFolder()
      let path = folder.file("store.db")
      try body(ReadingLocks(database: path), ReadingLocks(database: path), path + "-owners")
    }

    @Test func `a value is read until the last of its readers has ended`() throws {
      try withLocks { here, there, _ in
        #expect(here.isUnread(1) && there.isUnread(1))
        here.begin(1)
        here.begin(1)
        there.begin(1)
        #expect(!here.isUnread(1) && !there.isUnread(1))
        #expect(here.isUnread(2) && there.isUnread(2))
        here.end(1)
        there.end(1)
        #expect(!here.isUnread(1) && !there.isUnread(1))
        here.end(1)
        #expect(here.isUnread(1) && there.isUnread(1))
      }
    }

    @Test func `who reads after the file was removed is seen in the new one`() throws {
      try withLocks { here, there, file in
        here.begin(1)
        here.end(1)
        #expect(unsafe unlink(file) == 0)
        here.begin(1)
        #expect(!there.isUnread(1))
        here.end(1)
        #expect(there.isUnread(1))
      }
    }

    @Test func `who read before the file was removed is seen in the new one, too`() throws {
      try withLocks { here, there, file in
        here.begin(1)
        #expect(unsafe unlink(file) == 0)
        here.begin(2)
        #expect(!there.isUnread(1) && !there.isUnread(2))
        here.end(1)
        #expect(there.isUnread(1) && !there.isUnread(2))
        here.end(2)
        #expect(there.isUnread(2))
      }
    }

    @Test func `without locks nobody is certainly absent`() {
      let locks = ReadingLocks(database: nil)
      #expect(!locks.isUnread(1))
      locks.begin(1)
      locks.end(1)
      #expect(!locks.isUnread(1))
    }
  }
#endif
