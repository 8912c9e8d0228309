/// The next request of a list to its source, in one update.
struct ListPosition: Sendable {
  private(set) var previous: PreviousList
  /// The state at the cursor that is sent; `nil` when the whole list is requested.
  private(set) var basis: Storage.ListBasis?
  /// The running walk through pages, and the time of its first page if this update asked for it.
  private(set) var walk: (number: Int64, isWhole: Bool, began: ClockReading?)?
  /// The tokens that were sent in this walk.
  private var sent: Set<ExactName> = []
  private var hasLostPage = false

  /// The most pages after the first one of an update: a source may name new ones forever.
  static let mostPages = 10_000

  /// Begins where the last update has ended, or was interrupted.
  init(_ list: String, _ state: Storage.ListState?, contentVersion: Int64) {
    // Members that another version of the program has stored come again with the whole list.
    guard let state, state.contentVersion == contentVersion else {
      previous = PreviousList(name: list, count: state?.count ?? 0)
      return
    }
    var page: String?
    var isWhole = false
    // Where a member was removed meanwhile, the pages before would have to come again.
    if let walk = state.walk, walk.began != nil {
      (page, isWhole) = (walk.page, walk.isWhole)
      self.walk = (walk.number, walk.isWhole, nil)
      sent = [ExactName(walk.page)]
    }
    if !isWhole { basis = state.basis }
    previous = PreviousList(
      name: list, cursor: isWhole ? nil : state.cursor, page: page,
      lastUpdate: isWhole ? nil : state.lastUpdate, count: state.count)
  }

  /// Goes back to what is asked for when the source no longer knows the page, or the cursor; false when
  /// there is nothing.
  mutating func goBack() -> Bool {
    if previous.page != nil {
      // A source that forgets its pages at once would be asked forever.
      guard !hasLostPage else { return false }
      hasLostPage = true
      (walk, sent) = (nil, [])
      previous = PreviousList(
        name: previous.name, cursor: previous.cursor, lastUpdate: previous.lastUpdate,
        count: previous.count)
      return true
    }
    guard previous.cursor != nil || previous.lastUpdate != nil else { return false }
    basis = nil
    previous = PreviousList(name: previous.name, count: previous.count)
    return true
  }

  /// The reason why an answer does not belong to its question; `nil` when it does.
  func refusal<Value>(of change: SourceListChange<Value>) -> FetchFailure? {
    if let next = change.next {
      if isCircle(next) { return .pagesInCircles }
      guard sent.count < Self.mostPages else { return .pagesWithoutEnd }
    }
    guard let isWhole = tellsWhole(change) else {
      guard previous.page == nil else { return .notModifiedPage }
      // Nothing but the whole list tells which members it has.
      return basis == nil ? .notModifiedWithoutCursor : nil
    }
    if let walk, walk.isWhole != isWhole { return .pageOfAnotherWalk }
    return nil
  }

  /// True for an answer that tells of the whole list, false for one that tells of changes; `nil` when it
  /// tells of no member. All changes since no cursor are the whole list.
  func tellsWhole<Value>(_ change: SourceListChange<Value>) -> Bool? {
    change.isWhole.map { $0 || basis == nil }
  }

  /// True when the answer names a page that was asked for already.
  private func isCircle(_ next: String) -> Bool {
    sent.contains(next) || (previous.page ?? previous.cursor).hasSameBytes(as: next)
  }

  /// Goes on to the next page.
  mutating func goOn(to next: String, isWhole: Bool, number: Int64, asked: ClockReading) {
    walk = walk ?? (number, isWhole, asked)
    sent.insert(next)
    if isWhole { basis = nil }
    previous = PreviousList(
      name: previous.name, cursor: isWhole ? nil : previous.cursor, page: next,
      lastUpdate: isWhole ? nil : previous.lastUpdate, count: previous.count)
  }
}

extension FetchFailure {
  static let cursorExpiredWithoutCursor = FetchFailure(
    .notStorable, "the source says that a cursor has expired, but none was sent")
  static let pagesExpire = FetchFailure(
    .notStorable, "the source has forgotten its pages twice while they were asked for")
  static let pagesInCircles = FetchFailure(
    .notStorable, "the source's pages go in circles: it names one as the next that it was asked for"
  )
  static let pagesWithoutEnd = FetchFailure(
    .notStorable, "the list has more than \(ListPosition.mostPages) pages")
  static let pageOfAnotherWalk = FetchFailure(
    .notStorable, "a page of the whole list and pages of its changes are mixed")
  static let notModifiedPage = FetchFailure(
    .notModifiedWithoutCopy, "the source answered \"not modified\" where a page was asked for")
  static let notModifiedWithoutCursor = FetchFailure(
    .notModifiedWithoutCopy,
    "the source answered \"not modified\" where the whole list was asked for")
}
