import FreshStore
import FreshStoreTesting
import Strategies
import Testing

@Suite struct StoreLawsTests {
  @Test func `a store on a file keeps the laws of storing`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.db")
    let laws = StoreLaws {
      try Store(path: path, configuration: Configuration(reachability: .fixed(.online)))
    }
    #expect(try await laws.check() == [])
  }
}
