internal import FreshStore

/// One table or index of a damaged database, read page by page
/// (https://sqlite.org/fileformat2.html, section 1.6).
///
/// Its pages are found in two ways: down from the root, and up from every page by the pointer map.
/// Only a page with damage of its own is lost, never those below it.
struct DamagedTree {
  /// The page of its root.
  let root: Int
  /// True for an index, and for a table without row numbers, which is stored like one.
  let isIndex: Bool

  /// A row, with its number if the table has row numbers.
  struct Row {
    let number: Int64
    let values: [StoredValue]
  }

  /// The result of reading a tree.
  struct Findings {
    /// False when a page is damaged: then unknown rows may exist.
    var isWhole = true
    /// Rows, readable or not, on the pages that are not damaged.
    var rows = 0
  }

  /// Calls `body` for each row that can be read.
  func read<Failure: Error>(
    _ pages: borrowing DamagedPages, _ body: (Row) throws(Failure) -> Void
  ) throws(Failure) -> Findings {
    var findings = Findings()
    for number in self.pages(of: pages, &findings) {
      guard let page = Page(number, of: pages), page.isIndex == isIndex else {
        findings.isWhole = false
        continue
      }
      guard page.isLeaf || isIndex else { continue }
      for cell in page.cells {
        findings.rows += 1
        guard let row = page.row(at: cell, pages) else { continue }
        try body(row)
      }
    }
    return findings
  }

  /// The pages of the tree, each once.
  private func pages(of pages: borrowing DamagedPages, _ findings: inout Findings) -> [Int] {
    var (found, waiting) = (Set([root]), [root])
    while let number = waiting.popLast() {
      // A page of another tree is detected when it is read.
      guard let page = Page(number, of: pages), page.isIndex == isIndex else { continue }
      for child in page.children where found.insert(child).inserted { waiting.append(child) }
    }
    if pages.count > 2 {
      for number in 3...pages.count where pages.root(of: number) == root { found.insert(number) }
    }
    return found.sorted()
  }
}
