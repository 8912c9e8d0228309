import Testing

@testable import FreshGateway

/// Operators hear of an origin that fails, and not of each of its failures.
@Suite struct OriginWatchTests {
  @Test func `a change is told once, with its reason`() {
    let watch = OriginWatch()
    #expect(watch.answer(at: 0) == nil)
    #expect(watch.fail("connection refused", at: 1) == "the origin fails: connection refused")
    #expect(watch.fail("connection refused", at: 2) == nil)
    #expect(watch.fail("it answers 503", at: 30_000) == nil)
    #expect(watch.answer(at: 89_999) == nil)
    #expect(watch.answer(at: 90_000) == "the origin answers again")
    #expect(watch.answer(at: 200_000) == nil)
  }

  @Test func `where some requests fail and others do not, one line is told until that is over`() {
    let watch = OriginWatch()
    var told: [String] = []
    for now in stride(from: Int64(0), to: 600_000, by: 500) {
      let words = now % 1000 == 0 ? watch.fail("it answers 503", at: now) : watch.answer(at: now)
      if let words { told.append(words) }
    }
    #expect(told == ["the origin fails: it answers 503"])
    // The last failure was at 599,000.
    #expect(watch.answer(at: 658_999) == nil)
    #expect(watch.answer(at: 659_000) == "the origin answers again")
    #expect(watch.fail("connection refused", at: 659_001) == "the origin fails: connection refused")
  }

  @Test func `that it is left alone is told once, with the last reason, and over with an answer`() {
    let watch = OriginWatch()
    #expect(watch.fail("its answer breaks off", at: 1) == "the origin fails: its answer breaks off")
    #expect(watch.fail("connection refused", at: 2) == nil)
    #expect(
      watch.leaveAlone("http://o:80", until: "noon")
        == "the origin http://o:80 is left alone until noon, as it keeps failing: connection refused"
    )
    #expect(watch.fail("connection refused", at: 1000) == nil)
    #expect(watch.leaveAlone("http://o:80", until: "one") == nil)
    #expect(
      watch.words(of: "http://o:80", until: "one")
        == "http://o:80 is left alone until one, as it keeps failing: connection refused")
    #expect(watch.answer(at: 1001) == "the origin answers again")
    #expect(watch.answer(at: 1002) == nil)
    // The next failure is reported like the first one.
    #expect(watch.fail("it answers 503", at: 1003) == "the origin fails: it answers 503")
    #expect(watch.answer(at: 1004) == nil)
  }

  @Test func `of what another process has seen fail no reason is told`() {
    let watch = OriginWatch()
    #expect(
      watch.leaveAlone("http://o:80", until: "noon")
        == "the origin http://o:80 is left alone until noon, as it keeps failing")
    #expect(watch.answer(at: 1) == "the origin answers again")
  }
}
