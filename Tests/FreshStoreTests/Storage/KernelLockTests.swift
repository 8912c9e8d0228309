import Testing

@testable import FreshStore

/// The search for locks in the kernel's list.
@Suite struct KernelLockTests {
  private func found(_ line: String) -> KernelLock? {
    KernelLock.held(
      on: KernelLock.Place(major: 8, minor: 0x1a, inode: 456),
      in: "1: POSIX ADVISORY READ 9 08:1a:7 0 EOF\n\(line)"
    ).first
  }

  @Test(arguments: [
    ("2: POSIX  ADVISORY  WRITE 123 08:1a:456 120 124", true, 120...124),
    ("2: POSIX  ADVISORY  READ 123 08:1a:456 120 120", false, 120...120),
    ("2: POSIX  ADVISORY  READ 123 08:1a:456 1 EOF", false, 1...Int.max),
    ("2: POSIX  ADVISORY  READ 123 08:1a:456 128 nonsense", false, 128...128),
    ("2: POSIX  ADVISORY  READ 123 08:1a:456 128 1", false, 128...128),
  ])
  func `a lock is exclusive or shared, on bytes`(
    line: String, isExclusive: Bool, bytes: ClosedRange<Int>
  ) throws {
    let lock = try #require(found(line))
    #expect(lock.kind == .range && lock.process == 123)
    #expect(lock.isExclusive == isExclusive)
    #expect(lock.bytes == bytes)
  }

  @Test func `a lock on the whole file is distinguished from one on bytes`() {
    #expect(found("2: FLOCK  ADVISORY  WRITE 123 08:1a:456 0 EOF")?.kind == .whole)
  }

  @Test(arguments: [
    "", "nonsense", "2: POSIX  ADVISORY  WRITE 123 08:1a:456 120",
    // Of another file, one whose number ends alike.
    "2: POSIX  ADVISORY  WRITE 123 08:1a:1456 120 120",
    // Of files with its number on other disks.
    "2: POSIX  ADVISORY  WRITE 123 08:1b:456 120 120",
    "2: POSIX  ADVISORY  WRITE 123 09:1a:456 120 120",
    // Waited for, not held.
    "2: -> POSIX  ADVISORY  WRITE 123 08:1a:456 120 120",
    "2: OFDLCK ADVISORY  WRITE 123 08:1a:456 120 120",
    "2: POSIX  ADVISORY  WRITE who 08:1a:456 120 120",
    "2: POSIX  ADVISORY  WRITE 123 08:1a:456 where 120",
  ])
  func `locks of other files are skipped`(line: String) {
    #expect(found(line) == nil)
  }

  @Test(arguments: [0, -1])
  func `an owner in another process namespace is invisible`(process: Int) {
    let lock = found("2: POSIX  ADVISORY  WRITE \(process) 08:1a:456 120 120")
    #expect(lock?.owner == "a process out of sight")
  }
}
