internal import FreshStore
internal import Testing

@testable import FreshHTTP

@Suite struct RedirectPlanTests {
  private func plan(
    _ url: String = "https://example.org/a", configuration: HTTPConfiguration = HTTPConfiguration()
  ) throws -> FetchPlan {
    FetchPlan(
      address: try HTTPAddress(url), configuration: configuration,
      previous: Previous<[UInt8]>?.none)
  }

  private func redirect(_ location: String) -> HTTPAnswer {
    answer(302, "Location: \(location)")
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `RFC 9110 15.4: every redirect is followed`(status: Int) throws {
    var plan = try plan()
    #expect(try plan.result(of: answer(status, "Location: b?c")) == nil)
    #expect(plan.address.text == "https://example.org/b?c")
  }

  @Test func `a redirect without a location is an error`() throws {
    var plan = try plan()
    #expect(throws: HTTPFetchError.self) { try plan.result(of: answer(302)) }
  }

  @Test(arguments: [
    "http://example.org/a", "http://example.org:443/a", "ftp://example.org/", "file:///etc/passwd",
    "data:text/plain,x", "https://me:secret@example.org/", "https://exa mple.org/", "//:0/",
  ])
  func `a redirect to less security, another scheme or an invalid address is not followed`(
    location: String
  ) throws {
    var plan = try plan()
    let error = #expect(throws: HTTPFetchError.self) { try plan.result(of: redirect(location)) }
    guard case .badRedirect("https://example.org/a", let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!reason.contains("secret"))
    #expect(plan.address.text == "https://example.org/a")
  }

  @Test func `a redirect to more security is followed`() throws {
    var plan = try plan("http://example.org/a")
    #expect(try plan.result(of: redirect("https://example.org/a")) == nil)
    #expect(plan.address.text == "https://example.org/a")
  }

  @Test func `a redirect loop is detected`() throws {
    var plan = try plan()
    _ = try plan.result(of: redirect("/b"))
    #expect(throws: HTTPFetchError.redirectLoop("https://example.org/b")) {
      try plan.result(of: redirect("/a"))
    }
  }

  @Test func `redirects are limited`() throws {
    var plan = try plan()
    for step in 1...5 {
      #expect(try plan.result(of: redirect("/\(step)")) == nil)
    }
    #expect(throws: HTTPFetchError.tooManyRedirects("https://example.org/5", limit: 5)) {
      try plan.result(of: redirect("/6"))
    }
  }

  @Test(arguments: [
    "https://other.org/", "https://example.org:8443/", "https://sub.example.org/",
  ])
  func `RFC 9110 15.4: credentials are not sent to another origin, nor after it`(
    location: String
  ) throws {
    let configuration = HTTPConfiguration(headers: [
      "Authorization": "secret", "Cookie": "secret", "X-Key": "secret", "Accept-Language": "de",
    ])
    var plan = try plan(configuration: configuration)
    #expect(plan.requestFields.first("Authorization") == "secret")
    _ = try plan.result(of: redirect(location))
    #expect(!plan.requestFields.lines.contains { $0.value == "secret" })
    #expect(plan.requestFields.first("Accept-Language") == "de")
    _ = try plan.result(of: redirect("https://example.org/back"))
    _ = try plan.result(of: redirect("https://example.org/further"))
    #expect(!plan.requestFields.lines.contains { $0.value == "secret" })
  }

  @Test func `credentials stay within the origin`() throws {
    var plan = try plan(configuration: HTTPConfiguration(headers: ["Authorization": "x"]))
    _ = try plan.result(of: redirect("https://EXAMPLE.org:443/b"))
    #expect(plan.requestFields.first("Authorization") == "x")
  }

  @Test func `a copy reached by a redirect to another origin is selected by the same settings`()
    throws
  {
    let configuration = HTTPConfiguration(headers: ["Authorization": "x"])
    var first = try plan(configuration: configuration)
    _ = try first.result(of: redirect("https://other.org/"))
    let details = try #require(
      try first.result(of: answer(200, "ETag: \"1\" | Vary: Authorization"))
    ).details
    #expect(configuration.selects(variant: details.variant))
    #expect(!HTTPConfiguration().selects(variant: details.variant))
    var second = FetchPlan(
      address: try HTTPAddress("https://example.org/a"), configuration: configuration,
      previous: copy(details))
    #expect(second.requestFields.first("If-None-Match") == nil)
    _ = try second.result(of: redirect("https://other.org/"))
    #expect(second.requestFields.first("If-None-Match") == "\"1\"")
  }
}
