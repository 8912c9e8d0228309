import Testing

@testable import FreshStore

@Suite struct FairPageTests {
  /// A page of a queue in which each letter is an element of the origin of that name.
  private func page(_ queue: String, limit: Int, perOrigin: Int) -> FairPage<Character> {
    var page = FairPage<Character>(limit: limit, perOrigin: perOrigin)
    for letter in queue { page.add(letter, of: FairShare("\(letter)")) }
    page.finish()
    return page
  }

  @Test(arguments: [
    ("aabb", 9, 9, "aabb", ""), ("aaabb", 4, 2, "aabb", "a"), ("aaaab", 4, 2, "aaba", "a"),
    ("aaaaaab", 4, 2, "aaba", "a"), ("aaaa", 4, 1, "aaaa", ""), ("", 4, 1, "", ""),
    // Late origins get a place, too, on a page that is full; but not all of them.
    ("aabbc", 2, 1, "abc", "ab"), ("abcdef", 2, 1, "abcd", "ef"),
  ])
  func `each origin has its share, and the remaining room is filled`(
    queue: String, limit: Int, perOrigin: Int, elements: String, truncated: String
  ) {
    let page = page(queue, limit: limit, perOrigin: perOrigin)
    #expect(String(page.elements) == elements)
    #expect(page.truncated == Set(truncated.map { FairShare(String($0)) }))
  }

  @Test
  func `large elements of an origin have a share of their own, and so leave room for small ones`() {
    var page = FairPage<Character>(limit: 4, perOrigin: 2)
    for letter in "AAAAAAAAaa" { page.add(letter, of: FairShare("a", isLarge: letter == "A")) }
    page.finish()
    #expect(String(page.elements) == "AAaa")
    #expect(page.truncated == [FairShare("a", isLarge: true)])
  }
}
