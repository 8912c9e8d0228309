import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Many records, as a screen shows them.
@Suite(.timeLimit(.minutes(1))) struct CollectionObservationTests: ArticleSuite {
  @Test func `the present values come at once, and others when they have changed`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("two", for: "2")
      var shown = articles.observeValues().makeAsyncIterator()
      let first = await shown.next()
      temporary.clock.advance(by: .milliseconds(100))

      try await articles.put("one", for: "1")
      let second = await shown.next()

      #expect(first?.records.map(\.value) == ["two"])
      #expect(second?.records.map(\.value) == ["one", "two"])
      #expect(second?.failure == nil)
    }
  }

  @Test func `ten thousand changes within a pause are one element, with the last state`()
    async throws
  {
    try await withArticles { temporary, articles in
      let task = Task {
        var shown: [[String?]] = []
        for await state in articles.observeValues() {
          shown.append(state.records.map(\.value))
          if shown.count == 2 { break }
        }
        return shown
      }
      await temporary.clock.sleepers(atLeast: 1)

      for number in 1...10_000 {
        temporary.store.hub.publish(
          Change(kind: .stored, collection: "articles", key: "\(number)"))
        if number.isMultiple(of: 100) { try await articles.put("\(number)", for: "1") }
      }
      temporary.clock.advance(by: .milliseconds(100))

      #expect(await task.value == [[], ["10000"]])
    }
  }

  @Test func `without a pause the next state comes at once`() async throws {
    try await withArticles { _, articles in
      var shown = articles.observeValues(every: .zero).makeAsyncIterator()
      _ = await shown.next()

      var values: [[String?]?] = []
      for number in 1...3 {
        try await articles.put("\(number)", for: "1")
        values.append(await shown.next()?.records.map(\.value))
      }

      #expect(values == [["1"], ["2"], ["3"]])
    }
  }

  @Test func `a slow observer gets the newest state, and no backlog`() async throws {
    try await withArticles { _, articles in
      var shown = articles.observeValues(every: .zero).makeAsyncIterator()
      _ = await shown.next()

      for number in 1...100 { try await articles.put("\(number)", for: "1") }
      let newest = await shown.next()
      try await articles.put("last", for: "2")
      let last = await shown.next()

      #expect(newest?.records.map(\.value) == ["100"])
      #expect(last?.records.map(\.value) == ["100", "last"])
    }
  }

  @Test func `changes outside of the observed keys are no element`() async throws {
    try await withArticles { temporary, articles in
      var shown = articles.observeValues(prefix: "b", limit: 1, every: .zero).makeAsyncIterator()
      _ = await shown.next()

      try await articles.put("before", for: "a")
      try await articles.put("first", for: "b1")
      let first = await shown.next()
      try await articles.put("beyond the limit", for: "b2")
      try await articles.put("after", for: "c")
      try await articles.remove("b1")
      let second = await shown.next()

      #expect(first?.records.map(\.key) == ["b1"])
      #expect(second?.records.map(\.key) == ["b2"])
    }
  }

  @Test func `the members of a list follow, first without a value`() async throws {
    try await withArticles { _, articles in
      var shown = try articles.observeValues(of: "inbox", every: .zero).makeAsyncIterator()
      let before = await shown.next()

      _ = try await articles.follow("inbox") { _ in
        .full(["a": .value("one"), "b": .named], cursor: nil)
      }
      let followed = await shown.next()
      try await articles.put("two", for: "b")
      let fetched = await shown.next()
      _ = try await articles.follow("inbox") { _ in .full(["b": .named], cursor: nil) }
      let left = await shown.next()

      #expect(before?.records.isEmpty == true)
      #expect(followed?.records.map(\.key) == ["a", "b"])
      #expect(followed?.records.map(\.value) == ["one", nil])
      #expect(fetched?.records.map(\.value) == ["one", "two"])
      #expect(left?.records.map(\.value) == ["two"])
    }
  }

  @Test func `a change by another store on the file follows`() async throws {
    try await withArticles { temporary, articles in
      let other = try temporary.another()
      var shown = articles.observeValues(every: .zero).makeAsyncIterator()
      _ = await shown.next()

      try await other.collection("articles", of: String.self).write("theirs", for: "1")
      let state = await shown.next()

      #expect(state?.records.map(\.value) == ["theirs"])
      #expect(state?.records.first?.waiting?.state == .waiting)
      try await other.close()
    }
  }

  @Test func `the first expiry among the records is a change`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put(
        "one", for: "1", details: FetchDetails(expiry: .after(.minutes(2))))
      try await articles.put("two", for: "2")
      var shown = articles.observeValues().makeAsyncIterator()
      _ = await shown.next()

      temporary.clock.advance(by: .minutes(2))
      let first = await shown.next()
      temporary.clock.advance(by: .minutes(3))
      let second = await shown.next()

      #expect(first?.records.map(\.decision.outcome) == [.stale, .fresh])
      #expect(second?.records.map(\.decision.outcome) == [.stale, .stale])
    }
  }

  @Test func `the loss of the way to the source is a change`() async throws {
    try await withArticles { temporary, articles in
      try await articles.put("one", for: "1")
      try await articles.markStale("1")
      var shown = articles.observeValues(every: .zero).makeAsyncIterator()
      _ = await shown.next()

      temporary.reachability.set(.offline("unplugged"))
      let state = await shown.next()

      #expect(state?.records.map(\.decision.outcome) == [.offline])
    }
  }

  @Test func `the sequence ends with the store, also during a pause`() async throws {
    try await withArticles { temporary, articles in
      let task = Task {
        for await _ in articles.observeValues() {}
        return "ended"
      }
      await temporary.clock.sleepers(atLeast: 1)
      try await articles.put("one", for: "1")

      try await temporary.store.close()

      #expect(await task.value == "ended")
    }
  }

  @Test func `an observer that is cancelled during a pause is forgotten`() async throws {
    try await withArticles { temporary, articles in
      let task = Task { for await _ in articles.observeValues() {} }
      await temporary.clock.sleepers(atLeast: 1)
      try await articles.put("one", for: "1")

      task.cancel()
      await task.value
      while !temporary.store.hub.isEmpty { await Task.yield() }
    }
  }

  @Test func `a list's name that is no key is refused`() async throws {
    try await withArticles { _, articles in
      #expect(await storeFailure { try articles.observeValues(of: "") }?.code == .invalidKey)
    }
  }
}
