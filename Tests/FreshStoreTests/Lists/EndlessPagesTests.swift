import FreshStoreTesting
import Strategies
import Testing

@testable import FreshStore

/// A source that names a new page with each one.
@Suite struct EndlessPagesTests {
  @Test func `an update takes so many pages, and no more`() {
    let asked = ClockReading(wall: Timestamp(millisecondsSinceEpoch: 0), boot: 1, sinceBoot: 0)
    var position = ListPosition("all", nil, contentVersion: 0)
    var pages = 0
    var failure: FetchFailure?
    while failure == nil, pages < 2 * ListPosition.mostPages {
      let change = SourceListChange<String>.fullPage([:], next: "\(pages)")
      failure = position.refusal(of: change)
      guard failure == nil else { break }
      pages += 1
      position.goOn(to: "\(pages - 1)", isWhole: true, number: 1, asked: asked)
    }
    #expect(pages == ListPosition.mostPages)
    #expect(failure?.message.contains("more than 10000 pages") == true)
  }
}
