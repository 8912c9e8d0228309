import FreshStoreTesting
import Glibc
import Testing

@testable import FreshStore

@Suite struct OwnerLockTests {
  @Test func `a released owner is dead, although a starting child has inherited its files`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let (owner, other) = (
        OwnerLock(database: temporary.path), OwnerLock(database: temporary.path)
      )
      let name = owner.claimant
      #expect(!other.isDead(name))

      let inherited = Self.descriptors(of: temporary.path + "-owners").map { dup($0) }
      owner.release()

      #expect(!inherited.isEmpty)
      #expect(other.isDead(name))
      for descriptor in inherited { close(descriptor) }
      other.release()
    }
  }

  private static func descriptors(of path: String) -> [Int32] {
    (0..<4096).filter { (descriptor: Int32) in
      var name = [CChar](repeating: 0, count: 4096)
      let count = unsafe readlink("/proc/self/fd/\(descriptor)", &name, name.count)
      return count > 0 && name.prefix(count).elementsEqual(path.utf8.map { CChar(bitPattern: $0) })
    }
  }
}
