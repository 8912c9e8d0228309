/// A listing that is read in pages.
enum Paging {
  /// The rows of one statement: in a damaged file they may never end, and each page is looked at.
  private static var page: Int { 1000 }

  /// The elements of one page after another, at most `limit`.
  ///
  /// - Parameter id: What the next page begins after, given the last element of a page.
  static func all<Element, ID>(
    _ limit: Int, after start: ID, id: (Element) -> ID,
    of page: (_ last: ID, _ count: Int) throws(StoreError) -> [Element]
  ) throws(StoreError) -> [Element] {
    var (elements, last) = ([Element](), start)
    while elements.count < limit {
      let count = min(Self.page, limit - elements.count)
      let next = try page(last, count)
      elements += next
      guard next.count == count, let end = next.last else { break }
      last = id(end)
    }
    return elements
  }
}
