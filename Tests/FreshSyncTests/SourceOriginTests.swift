import FreshStore
import Testing

@testable import FreshSync

@Suite struct SourceOriginTests {
  @Test(
    arguments: [
      ("p", "https://example.org", "p"), ("https://A.example", nil, "https://a.example:443"),
      (nil, "https://example.org/a", "https://example.org:443"), (nil, "a label", "c"),
      (nil, nil, "c"),
    ] as [(Origin?, String?, String)])
  func `an origin is the policy's, else that of the source's URL, else the collection`(
    _ policy: Origin?, _ source: String?, _ name: String
  ) {
    #expect(SourceOrigin.name(policy: policy, address: source, collection: "c") == name)
  }
}
