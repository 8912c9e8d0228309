internal import Testing

@testable import FreshHTTP

@Suite struct EntityTagTests {
  @Test(arguments: [
    ("\"a\"", "a", false), ("\"\"", "", false), ("W/\"a\"", "a", true), (" \"a,b\" ", "a,b", false),
    ("\"é\"", "é", false),
  ])
  func `RFC 9110 8.8.3: a tag is quoted and may be weak`(text: String, opaque: String, weak: Bool) {
    let tag = EntityTag(text)
    #expect(tag?.opaque == opaque)
    #expect(tag?.isWeak == weak)
  }

  @Test(arguments: ["", "a", "\"", "\"a", "a\"", "w/\"a\"", "W/a", "\"a\"b\"", "\"a b\"", "*"])
  func `any other text is not a tag`(text: String) {
    #expect(EntityTag(text) == nil)
  }

  @Test(arguments: [
    ("W/\"1\"", "W/\"1\"", false, true), ("W/\"1\"", "W/\"2\"", false, false),
    ("W/\"1\"", "\"1\"", false, true), ("\"1\"", "\"1\"", true, true),
  ])
  func `RFC 9110 8.8.3.2: the table of comparisons`(
    left: String, right: String, strong: Bool, weak: Bool
  ) throws {
    let (left, right) = (try #require(EntityTag(left)), try #require(EntityTag(right)))
    #expect(left.stronglyEquals(right) == strong)
    #expect(left.weaklyEquals(right) == weak)
  }
}
