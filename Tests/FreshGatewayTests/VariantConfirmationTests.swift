internal import FreshHTTP
internal import Strategies
internal import Testing

@testable import FreshGateway

/// Which of several variants a confirmation is about, where it could be another's.
@Suite struct VariantConfirmationTests {
  private let stale = "Cache-Control: max-age=1"

  @Test(arguments: ["Cookie", "Authorization"])
  func `what one session was told is described for no other, and confirmed to no other`(
    name: String
  ) throws {
    let text = "Cache-Control: public, max-age=1 | Vary: A, \(name) | ETag: \"a\""
    let copy = try candidate(text, for: "\(name): one", after: 5)
    #expect(try forwardPlan([copy], for: "\(name): one").fields["If-None-Match"] == "\"a\"")
    for asked in ["\(name): two", "", "\(name): one | A: 1"] {
      let plan = try forwardPlan([copy], for: asked)
      #expect(plan.chosen == nil && plan.asked.isEmpty && plan.fields["If-None-Match"] == nil)
    }
    // Its own copy is gone by the time of the answer, and another one has the tag.
    let own = try candidate(text, for: "\(name): two", after: 5)
    let later = try forwardPlan([own], for: "\(name): two").about([copy])
    guard case .ask = semantics.conclude(answer("ETag: \"a\"", 304), to: later).reply else {
      Issue.record("it was not asked again")
      return
    }
  }

  @Test(arguments: [(-600, true), (-500, false)])
  func `a 304 that names a date alone is about none of two copies that have it`(
    seconds: Int, isAskedAgain: Bool
  ) throws {
    let modified = "Last-Modified: \(date(-600))"
    let plain = try candidate(
      "\(stale) | ETag: \"a\" | \(modified) | Date: \(date(-9))", after: 20)
    let varying = try candidate(
      "\(stale) | ETag: \"b\" | Last-Modified: \(date(seconds)) | Vary: A", for: "A: 1", after: 20)
    let plan = try forwardPlan([plain, varying], for: "A: 2")
    #expect(plan.chosen == nil && plan.fields["If-None-Match"] == "\"b\", \"a\"")
    let conclusion = semantics.conclude(answer(modified, 304), to: plan)
    guard case .ask(let again) = conclusion.reply else {
      #expect(!isAskedAgain && conclusion.status == 200 && conclusion.fields["ETag"] == "\"a\"")
      return
    }
    #expect(isAskedAgain && conclusion.changes.isEmpty && again.asked.isEmpty)
  }

  @Test(arguments: [("GET", 304), ("HEAD", 200)])
  func `what a copy is selected by counts on, whatever its renewal varies by`(
    method: String, status: Int
  ) throws {
    let candidate = try candidate("\(stale) | Vary: A, B | ETag: \"a\"", for: "A: 1", after: 5)
    let plan = try forwardPlan([candidate], for: "A: 1", method)
    let new = answer("ETag: \"a\" | Vary: B, C | Cache-Control: max-age=9", status)
    guard case .renew(0, let renewed)? = semantics.conclude(new, to: plan).changes.first else {
      Issue.record("it was not renewed")
      return
    }
    #expect(renewed.fields["Vary"] == "B, C")
    #expect(renewed.selection.matches(fields("A: 1")))
    for other in ["A: 2", "B: 1", "A: 1 | B: 1", "A: 1 | C: 1"] {
      #expect(!renewed.selection.matches(fields(other)))
    }
  }
}
