import Foundation
import FreshStore
import FreshStoreTesting
import Testing

@Suite struct ClosingTests {
  @Test func `a closed store leaves one file, which holds everything`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    let store = try Store(path: path)
    let bytes = try store.bytes("things")
    try await bytes.put([1], for: "key")
    _ = try bytes.read("key")

    try await store.close()

    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["store.db"])
    let again = try Store(path: path)
    #expect(try again.bytes("things").read("key").copy?.value == [1])
    #expect(try await again.check().isSound)
    try await again.close()
  }

  @Test func `a read that waits while the store closes does not reopen the file`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    for _ in 0..<20 {
      var configuration = Configuration()
      configuration.memory = .none
      let store = try Store(path: path, configuration: configuration)
      let bytes = try store.bytes("things")
      try await bytes.put([1], for: "key")
      let readers = (0..<8).map { _ in
        Task.detached { () -> StoreError.Code in
          while true {
            do throws(StoreError) { _ = try bytes.read("key") } catch { return error.code }
          }
        }
      }
      try await store.close()

      for reader in readers { #expect(await reader.value == .closed) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["store.db"])
    }
  }
}
