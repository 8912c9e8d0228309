import Strategies
import Testing

@testable import FreshStore

/// The origin of a copy.
@Suite struct CopyOriginTests {
  private func origin(_ change: (inout RecordContent) -> Void) -> CopyOrigin? {
    var content = RecordContent(collection: "c", key: "k", expiry: .never)
    change(&content)
    return CopyOrigin(StoredRecord(content: content, kind: .value, epoch: 0))
  }

  @Test func `each fact is stored where the record states no other`() {
    #expect(origin { $0.source = "https://example.org/1" }?.source == "https://example.org/1")
    #expect(origin { $0.address = "https://example.org/1?q" }?.address == "https://example.org/1?q")
    #expect(origin { $0.contentType = "text/plain" }?.contentType == "text/plain")
    #expect(origin { $0.variant = "de" }?.variant == "de")
    #expect(origin { $0.metadata = "fields" }?.metadata == "fields")
    #expect(origin { $0.validators.entityTag = "\"1\"" }?.validators.entityTag == "\"1\"")
  }

  @Test func `a record without these facts has no origin`() {
    #expect(origin { _ in } == nil)
  }
}
