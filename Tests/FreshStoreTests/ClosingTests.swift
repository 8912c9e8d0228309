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
}
