internal import FreshStore
internal import Strategies
internal import Testing

@testable import FreshHTTP

@Suite struct PushPlanTests {
  private let address: HTTPAddress

  init() throws { address = try HTTPAddress("https://example.org/notes/1?k=secret") }

  private func plan(
    _ kind: WriteKind, tag: String? = nil, date: String? = nil, contentType: String? = nil
  ) throws -> PushPlan {
    try PushPlan(
      PendingWrite(
        key: "1", kind: kind, value: kind == .delete ? nil : [1], idempotencyKey: "key-1",
        baseValidators: Validators(entityTag: tag, lastModified: date), contentType: contentType),
      to: address, HTTPConfiguration(headers: ["Authorization": "Bearer t"]))
  }

  // MARK: Requests

  @Test(arguments: [
    (WriteKind.create, "PUT"), (.replace, "PUT"),
    (.patch([2], contentType: "application/merge-patch+json"), "PATCH"), (.delete, "DELETE"),
  ])
  func `each kind of write has its method`(kind: WriteKind, method: String) throws {
    #expect(try plan(kind).method == method)
  }

  @Test func `every write carries its key as a structured string and the configured fields`() throws
  {
    let fields = try plan(.replace).fields
    #expect(fields.first("Idempotency-Key") == "\"key-1\"")
    #expect(fields.first("Authorization") == "Bearer t")
  }

  @Test func `configured fields that an origin repeats are not quoted`() throws {
    let plan = try PushPlan(
      PendingWrite(key: "1", kind: .replace, value: [1], idempotencyKey: "key-1"),
      to: address, HTTPConfiguration(headers: ["Authorization": "Bearer t0ken"]))
    let answer = HTTPAnswer(
      status: 503, fields: HeaderFields(), body: Array("sick of t0ken".utf8),
      arrival: reading(), responseDelay: .zero)
    #expect {
      _ = try plan.step(answer)
    } throws: { error in
      "\(error)".contains("sick of …")
    }
  }

  @Test(
    arguments: [
      Validators(), Validators(entityTag: "\"2\""), Validators(entityTag: "W/\"2\""),
      Validators(lastModified: "Thu, 01 Jan 2026 00:00:00 GMT"),
    ])
  func `a write that asks for its first answer alone has a condition that no version meets`(
    version: Validators
  ) throws {
    let plan = try PushPlan(
      PendingWrite(
        key: "1", kind: .replace, value: [1], idempotencyKey: "key-1", base: [0],
        baseValidators: version, mayHaveArrived: true),
      to: address, HTTPConfiguration(), asksForAnswer: true)
    #expect(plan.fields.first("If-Match") == "\"none-key-1\"")
    #expect(plan.fields.first("If-Unmodified-Since") == nil)
    #expect(plan.fields.first("If-None-Match") == nil)
    #expect(plan.base == nil && plan.unseenBase == nil)
  }

  @Test(arguments: [nil, "https://example.org/notes/1?k=secret", "https://cdn.example/1"])
  func `RFC 9111 4.3.1: validators go only to the address they came from`(from: String?) throws {
    let metadata = try from.map {
      StoredFields(address: try HTTPAddress($0), response: HeaderFields()).encoded
    }
    for kind in [WriteKind.replace, .patch([], contentType: "a/b"), .delete] {
      let plan = try PushPlan(
        PendingWrite(
          key: "1", kind: kind, value: [1], idempotencyKey: "key-1",
          baseValidators: Validators(entityTag: "\"a\""), metadata: metadata),
        to: address, HTTPConfiguration())
      let isFromElsewhere = from == "https://cdn.example/1"
      #expect(plan.fields.first("If-Match") == (isFromElsewhere ? nil : "\"a\""))
      #expect((plan.base?.validators.entityTag == "\"a\"") == isFromElsewhere)
    }
  }

  @Test func `an absence reported by another address is not used as a condition`() throws {
    let elsewhere = StoredFields(
      address: try HTTPAddress("https://elsewhere.example/1"), response: HeaderFields())
    let write = PendingWrite<[UInt8]>(
      key: "1", kind: .replace, value: [1], idempotencyKey: "key-1", isBaseAbsent: true,
      metadata: elsewhere.encoded)
    let plan = try PushPlan(write, to: HTTPAddress("https://example.org/1"), HTTPConfiguration())
    #expect(plan.fields.first("If-None-Match") == nil)
  }

  @Test func `a creation requires that the object does not exist`() throws {
    let fields = try plan(.create, tag: "\"a\"").fields
    #expect(fields.first("If-None-Match") == "*")
    #expect(fields.first("If-Match") == nil)
  }

  @Test(
    arguments: [(.replace, "*"), (.delete, nil), (.patch([], contentType: "a/b"), nil)]
      as [(WriteKind, String?)])
  func `a replacement of an absent object requires that it still does not exist`(
    kind: WriteKind, value: String?
  ) throws {
    let write = PendingWrite<[UInt8]>(
      key: "1", kind: kind, value: [1], idempotencyKey: "key-1", isBaseAbsent: true)
    let plan = try PushPlan(write, to: HTTPAddress("https://example.org/1"), HTTPConfiguration())
    #expect(plan.fields.first("If-None-Match") == value)
  }

  @Test(
    arguments: [
      ("\"a\"", nil, "\"a\"", nil), ("\"a\"", "D", "\"a\"", nil), ("W/\"a\"", "D", nil, "D"),
      ("W/\"a\"", nil, nil, nil), ("no tag", nil, nil, nil), (nil, nil, nil, nil),
    ] as [(String?, String?, String?, String?)])
  func `a condition uses a strong tag, otherwise the date`(
    tag: String?, date: String?, match: String?, unmodified: String?
  ) throws {
    for kind in [WriteKind.replace, .patch([], contentType: "a/b"), .delete] {
      let fields = try plan(kind, tag: tag, date: date).fields
      #expect(fields.first("If-Match") == match)
      #expect(fields.first("If-Unmodified-Since") == unmodified)
    }
  }

  @Test(
    arguments: [
      ("\"a\"", nil, false), ("W/\"a\"", nil, true), ("W/\"a\"", "D", false), (nil, nil, false),
    ] as [(String?, String?, Bool)])
  func `a condition that cannot be expressed is checked by a fetch before the write`(
    tag: String?, date: String?, isLookedFor: Bool
  ) throws {
    for kind in [WriteKind.replace, .patch([], contentType: "a/b"), .delete] {
      #expect((try plan(kind, tag: tag, date: date).base != nil) == isLookedFor)
    }
    #expect(try plan(.create, tag: tag, date: date).base == nil)
  }

  @Test func `the body is the value or the patch, with its media type`() throws {
    #expect(try plan(.replace, contentType: "text/plain").body == [1])
    #expect(
      try plan(.replace, contentType: "text/plain").fields.first("Content-Type") == "text/plain")
    #expect(try plan(.create).fields.first("Content-Type") == "application/octet-stream")
    #expect(try plan(.patch([7], contentType: "a/b"), contentType: "text/plain").body == [7])
    #expect(
      try plan(.patch([7], contentType: "a/b"), contentType: "c/d").fields.first("Content-Type")
        == "a/b")
    #expect(try plan(.delete, contentType: "text/plain").body == nil)
    #expect(try plan(.delete, contentType: "text/plain").fields.first("Content-Type") == nil)
  }

  @Test(arguments: [
    "", "jpeg", "image/", "/jpeg", "\u{2603}/x", "a b/c", "a/b c", "a/b/c", "a/b;c", "a/b; c=",
    "a/b; c=\"d",
    "text/plain\r\nX-Evil: 1",
  ])
  func `RFC 9110 8.3.1: a media type that is none is refused`(mediaType: String) {
    let kinds = [WriteKind.create, .replace, .patch([], contentType: mediaType)]
    for kind in kinds {
      let error = #expect(throws: HTTPFetchError.self) {
        try plan(kind, contentType: mediaType)
      }
      #expect(error?.description.contains("is no media type") == true)
    }
  }

  @Test(arguments: [
    "image/jpeg", "text/plain; charset=utf-8", "text/plain ;charset=\"utf-8\" ; a=b;",
    "application/vnd.x+json;v=1",
  ])
  func `RFC 9110 8.3.1: a media type may have parameters`(mediaType: String) throws {
    let fields = try plan(.replace, contentType: mediaType).fields
    #expect(fields.first("Content-Type") == mediaType)
  }

  // MARK: Answers

  private func pushed(_ plan: PushPlan, _ answer: HTTPAnswer) throws -> Pushed<[UInt8]>? {
    switch try plan.step(answer) {
    case .settled(let pushed): pushed
    case .acceptedUnseen(let details): .accepted(details)
    case .conflict, .conflictUnlessUnchanged, .conditionUnknown, .conditionRequired: nil
    }
  }

  @Test(arguments: [200, 201, 204])
  func `a stored value takes its new tag`(status: Int) throws {
    guard case .accepted(let details) = try pushed(plan(.replace), answer(status, "ETag: \"b\""))
    else { throw Unexpected() }
    #expect(details.validators == Validators(entityTag: "\"b\""))
    #expect(details.expiry == nil)
    #expect(details.source == "https://example.org/notes/1?…")
    #expect(details.address?.hasPrefix("https://example.org/notes/1?") == true)
    #expect(details.address?.contains("…") == false)
  }

  @Test(arguments: [(200, ""), (201, ""), (204, ""), (202, "ETag: \"b\"")])
  func `RFC 9110 9.3.4: without a validator the value is not known to be stored unchanged`(
    status: Int, fields: String
  ) throws {
    guard case .accepted(let details) = try pushed(plan(.replace), answer(status, fields)) else {
      throw Unexpected()
    }
    #expect(details.expiry == .immediately)
  }

  @Test(
    arguments: [
      (WriteKind.create, nil, 204, "", true), (.replace, "\"a\"", 204, "", true),
      (.patch([2], contentType: "a/b"), "\"a\"", 200, "ETag: \"b\"", true),
      (.replace, nil, 204, "", true), (.replace, "\"a\"", 202, "", false),
      (.replace, "\"a\"", 204, "ETag: \"b\"", false), (.delete, "\"a\"", 204, "", false),
    ] as [(WriteKind, String?, Int, String, Bool)])
  func `an accepted write is read back when its answer lacks a possible validator`(
    kind: WriteKind, tag: String?, status: Int, fields: String, isLookedAt: Bool
  ) throws {
    let step = try plan(kind, tag: tag).step(answer(status, fields))
    if case .acceptedUnseen(let details) = step {
      #expect(isLookedAt)
      #expect(details.expiry == .immediately)
      #expect(details.validators.isEmpty)
    } else {
      #expect(!isLookedAt)
    }
  }

  @Test(
    arguments: [
      (WriteKind.create, nil, 202, "*"), (.replace, "\"a\"", 202, "\"a\""),
      (.replace, nil, 303, ""), (.delete, "\"a\"", 202, "\"a\""), (.delete, "\"a\"", 204, nil),
      (.replace, "\"a\"", 204, ""), (.patch([], contentType: "a/b"), "\"a\"", 202, "\"a\""),
    ] as [(WriteKind, String?, Int, String?)])
  func `an accepted write whose version is unknown says so to the next one`(
    kind: WriteKind, tag: String?, status: Int, unseen: String?
  ) throws {
    guard case .accepted(let details) = try pushed(plan(kind, tag: tag), answer(status)) else {
      throw Unexpected()
    }
    #expect(StoredFields(encoded: details.metadata).unseen?.encoded == unseen)
  }

  @Test func `an accepted write to an object without validators is not read back`() throws {
    let plan = try PushPlan(
      PendingWrite(key: "1", kind: .replace, value: [1], idempotencyKey: "key-1", base: [0]),
      to: address, HTTPConfiguration())
    guard case .settled(.accepted(let details)) = try plan.step(answer(204)) else {
      throw Unexpected()
    }
    #expect(StoredFields(encoded: details.metadata).unseen == nil)
  }

  @Test func `the source's version of a value is as fresh as the answer says`() throws {
    let answer = answer(
      201, "Content-Location: /notes/1?k=secret | Cache-Control: max-age=9, must-revalidate",
      body: "x")
    guard case .acceptedAs(_, let details) = try pushed(plan(.replace), answer) else {
      throw Unexpected()
    }
    #expect(details.expiry == .after(.seconds(9)))
    #expect(details.mustRevalidate)
    #expect(details.lastUpdate == arrival)
  }

  @Test func `the source's version of a value can be forbidden to be stored`() throws {
    let answer = answer(
      200, "Content-Location: /notes/1?k=secret | Cache-Control: no-store", body: "x")
    guard case .acceptedAs(_, let details) = try pushed(plan(.replace), answer) else {
      throw Unexpected()
    }
    #expect(!details.isStorable)
  }

  @Test func `the source's version of a value in an unknown coding is fetched again`() throws {
    let answer = answer(
      200, "Content-Location: /notes/1?k=secret | Content-Encoding: br | ETag: \"b\"", body: "x")
    guard case .accepted(let details) = try pushed(plan(.replace), answer) else {
      throw Unexpected()
    }
    #expect(details.expiry == .immediately)
    #expect(details.validators.isEmpty)
  }

  @Test func `content located at the address itself is the source's version of the value`() throws {
    let answer = answer(
      200, "Content-Location: /notes/1?k=secret | ETag: \"b\" | Content-Type: a/b", body: "made")
    guard case .acceptedAs(let body, let details) = try pushed(plan(.replace), answer) else {
      throw Unexpected()
    }
    #expect(body == Array("made".utf8))
    #expect(details.contentType == "a/b")
    #expect(details.validators.entityTag == "\"b\"")
  }

  @Test(arguments: ["", "Content-Location: /notes/2", "Content-Location: ftp://x"])
  func `content from another address is only a message`(fields: String) throws {
    guard case .accepted = try pushed(plan(.replace), answer(200, fields, body: "ok")) else {
      throw Unexpected()
    }
  }

  @Test func `a patched object that was not returned is fetched before it is trusted`() throws {
    let patched = try pushed(
      plan(.patch([1], contentType: "a/b"), tag: "\"a\""), answer(204, "ETag: \"b\""))
    guard case .accepted(let details) = patched else { throw Unexpected() }
    #expect(details.validators.isEmpty)
    #expect(details.expiry == .immediately)
  }

  @Test(arguments: [200, 204, 404, 410])
  func `deletions of an existing and of a missing object are both accepted`(status: Int) throws {
    guard case .accepted = try pushed(plan(.delete, tag: "\"a\""), answer(status)) else {
      throw Unexpected()
    }
  }

  @Test func `an object that vanished before a conditional write is a conflict`() throws {
    guard case .conflict(.gone) = try pushed(plan(.replace, tag: "\"a\""), answer(404)) else {
      throw Unexpected()
    }
    guard case .refused = try pushed(plan(.replace), answer(404)) else { throw Unexpected() }
  }

  @Test func `a failed condition is a conflict`() throws {
    guard case .conflict = try plan(.replace, tag: "\"a\"").step(answer(412)) else {
      throw Unexpected()
    }
  }

  @Test(arguments: [(.create, nil), (.replace, "\"a\"")] as [(WriteKind, String?)])
  func `a condition that is asked for in spite of one is a refusal`(
    kind: WriteKind, tag: String?
  ) throws {
    let refused = try pushed(plan(kind, tag: tag), answer(428, "X-Need: more", body: "say why"))
    guard case .refused(let refusal) = refused else { throw Unexpected() }
    #expect(refusal.status == 428 && refusal.headers == ["x-need": "more"])
    #expect(refusal.body == Array("say why".utf8) && refusal.reason.contains("say why"))
  }

  @Test(arguments: [401, 403, 407, 408, 421, 423, 425, 429, 500, 502, 503, 599])
  func `a temporary failure is thrown`(status: Int) throws {
    let plan = try plan(.replace)
    #expect(throws: HTTPFetchError.self) { try plan.step(answer(status)) }
  }

  @Test func `the pause that the source asks for is part of the error`() throws {
    let plan = try plan(.replace)
    let error = #expect(throws: HTTPFetchError.self) {
      try plan.step(answer(503, "Retry-After: 7"))
    }
    #expect(error?.retryAfter == .seconds(7))
  }

  @Test(arguments: [400, 405, 413, 415, 422, 451])
  func `any other refusal is permanent and quotes the source`(status: Int) throws {
    guard
      case .refused(let refusal) = try pushed(plan(.replace), answer(status, body: "too odd"))
    else { throw Unexpected() }
    let reason = refusal.reason
    #expect(refusal.status == status && refusal.body == [UInt8]("too odd".utf8))
    #expect(reason.contains("\(status)") && reason.contains("too odd"))
    #expect(!reason.contains("secret"))
  }

  @Test(arguments: [400, 404, 413, 422, 428])
  func `a refusal promises no other attempt, and keeps the field that speaks of one`(
    status: Int
  ) throws {
    let plan = try plan(status == 428 ? .create : .replace)
    guard case .refused(let refusal) = try pushed(plan, answer(status, "Retry-After: 7")) else {
      throw Unexpected()
    }
    #expect(refusal.headers == ["retry-after": "7"])
    #expect(!refusal.reason.contains("again") && refusal.reason.contains("correct"))
  }

  @Test func `a refusal shows the fields of the answer, without cookies and credentials`() throws {
    let answer = answer(
      422, "X-Limit: 10 | X-Limit: 20 | Set-Cookie: id=secret | WWW-Authenticate: Basic")
    guard case .refused(let refusal) = try pushed(plan(.replace), answer) else {
      throw Unexpected()
    }
    #expect(refusal.headers == ["x-limit": "10, 20"])
  }

  @Test(arguments: [301, 302, 307, 308])
  func `a write does not follow a redirect`(status: Int) throws {
    let answer = answer(status, "Location: https://evil.example/")
    guard case .refused(let refusal) = try pushed(plan(.replace), answer) else {
      throw Unexpected()
    }
    #expect(refusal.headers["location"] != nil)
    #expect(refusal.reason.contains("\(status)"))
  }

  private struct Unexpected: Error {}
}
