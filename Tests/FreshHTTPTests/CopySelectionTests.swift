internal import FreshStore
internal import FreshStoreTesting
internal import Strategies
internal import Testing

@testable import FreshHTTP

/// The requests that a copy answers.
@Suite struct CopySelectionTests {
  private static let first = HTTPConfiguration(headers: ["Authorization": "Bearer first"])

  /// The variant stored for a 200 with these fields, fetched with a configuration.
  private func variant(
    _ response: String = "", by configuration: HTTPConfiguration = first, via redirects: String...
  ) throws -> String? {
    var plan = FetchPlan(
      address: try HTTPAddress("https://example.org/me"), configuration: configuration,
      previous: Previous<[UInt8]>?.none)
    for redirect in redirects { _ = try plan.result(of: answer(302, redirect)) }
    return try #require(try plan.result(of: answer(200, response))).details.variant
  }

  @Test(arguments: [
    ("Authorization: Bearer first", true), ("authorization: Bearer first | Accept: x", true),
    ("Authorization: Bearer second", false), ("Cookie: Bearer first", false),
    ("Authorization: Bearer first | Cookie: a", false), ("", false),
  ])
  func `RFC 9111 3.5: a copy fetched with credentials answers only requests with the same ones`(
    headers: String, expected: Bool
  ) throws {
    let asking = HTTPConfiguration(headers: fields(headers))
    #expect(asking.selects(variant: try variant()) == expected)
  }

  @Test(arguments: ["Authorization", "Cookie", "X-Api-Key", "From", "Proxy-User"])
  func `a copy fetched without credentials does not answer requests with credentials`(name: String)
    throws
  {
    let anonymous = HTTPConfiguration(headers: ["Accept-Language": "de"])
    let variant = try variant(by: anonymous)
    let asking = HTTPConfiguration(headers: HeaderFields([.init(name: name, value: "a")]))
    #expect(anonymous.selects(variant: variant))
    #expect(HTTPConfiguration().selects(variant: variant))
    #expect(!asking.selects(variant: variant))
  }

  @Test(arguments: [
    ("public", true), ("must-revalidate, max-age=60", true), ("max-age=60", false),
    ("s-maxage=60", false), ("s-maxage=0, max-age=60", false),
    ("public, s-maxage=1, max-age=60", false), ("must-revalidate, s-maxage=x, max-age=60", false),
    ("private, must-revalidate", false), ("private, public", false),
    ("private=\"x\", s-maxage=1", false),
  ])
  func `RFC 9111 3.5: a copy that its source declares public answers every request`(
    control: String, expected: Bool
  ) throws {
    let variant = try variant("Cache-Control: \(control)")
    #expect(HTTPConfiguration().selects(variant: variant) == expected)
  }

  @Test(arguments: [
    ("public", true), ("must-revalidate, max-age=60", false),
  ])
  func `a copy shared despite Authorization is shared despite cookies only if it is public`(
    control: String, expected: Bool
  ) throws {
    for headers in ["Cookie: a", "Authorization: Bearer first | Cookie: a"] {
      let variant = try variant(
        "Cache-Control: \(control)", by: HTTPConfiguration(headers: fields(headers)))
      #expect(HTTPConfiguration().selects(variant: variant) == expected)
    }
  }

  @Test(arguments: [
    ("https://example.org/b", "public", "public", true),
    ("https://example.org/b", "max-age=9", "public", false),
    ("https://example.org/b", "public", "max-age=9", false),
    // This one was requested without the credentials.
    ("https://other.org/b", "public", "max-age=9", true),
  ])
  func `a copy is public when every answer to the credentials on its way is public`(
    location: String, redirect: String, target: String, expected: Bool
  ) throws {
    let variant = try variant(
      "Cache-Control: \(target)", via: "Location: \(location) | Cache-Control: \(redirect)")
    #expect(HTTPConfiguration().selects(variant: variant) == expected)
  }

  /// A configuration with a certificate of this content.
  private func certificate(_ content: String, in folder: String = "here") throws
    -> HTTPConfiguration
  {
    let files = try TemporaryFolder()
    let path = try files.write(content, as: "\(folder).pem")
    return HTTPConfiguration(clientCertificate: try ClientCertificate(path: path))
  }

  @Test func `a copy fetched over a socket answers only requests over it`() throws {
    let (one, other) = (
      HTTPConfiguration(socketPath: "/run/a"), HTTPConfiguration(socketPath: "/run/b")
    )
    let variant = try variant("Cache-Control: public", by: one)
    #expect(one.selects(variant: variant))
    #expect(!other.selects(variant: variant))
    #expect(!HTTPConfiguration().selects(variant: variant))
    #expect(
      !one.selects(variant: try self.variant("Cache-Control: public", by: HTTPConfiguration())))
  }

  @Test func `a copy fetched with a client certificate answers only requests with it`() throws {
    let (mine, other) = (try certificate("me"), try certificate("other"))
    let variant = try variant(by: mine)
    let open = try self.variant("Cache-Control: public", by: mine)
    #expect(try certificate("me", in: "elsewhere").selects(variant: variant))
    #expect(!other.selects(variant: variant))
    #expect(!HTTPConfiguration().selects(variant: variant))
    #expect(HTTPConfiguration().selects(variant: open))
  }

  @Test func `a client certificate is known behind a redirect to another origin, too`() throws {
    let variant = try variant(
      by: try certificate("me"),
      via: "Location: https://other.org/b | Cache-Control: public")
    #expect(!HTTPConfiguration().selects(variant: variant))
  }

  @Test func `copies that a caller declares shared answer every caller with that setting`() throws {
    var sharing = Self.first
    sharing.sharesCopies = true
    var other = HTTPConfiguration()
    other.sharesCopies = true
    let (own, shared) = (try variant(), try variant(by: sharing))
    #expect(other.selects(variant: own))
    #expect(HTTPConfiguration().selects(variant: shared))
  }

  @Test func `both the variant and the credentials have to be the same`() throws {
    var german = Self.first
    german.headers.append("Accept-Language", "de")
    let variant = try variant("Vary: Accept-Language", by: german)
    #expect(german.selects(variant: variant))
    #expect(!Self.first.selects(variant: variant))
    #expect(!HTTPConfiguration(headers: ["Accept-Language": "de"]).selects(variant: variant))
  }

  @Test func `only a fingerprint of the credentials is stored`() throws {
    let variant = try #require(try variant())
    #expect(!variant.contains("first") && !variant.contains("Bearer"))
    #expect(CopySelection(encoded: variant).encoded == variant)
  }

  @Test func `validators that belong to other credentials are not sent`() throws {
    var plan = FetchPlan(
      address: try HTTPAddress("https://example.org/me"), configuration: Self.first,
      previous: Previous<[UInt8]>?.none)
    let details = try #require(try plan.result(of: answer(200, "ETag: \"1\""))).details
    func tag(_ configuration: HTTPConfiguration) throws -> String? {
      FetchPlan(
        address: try HTTPAddress("https://example.org/me"), configuration: configuration,
        previous: copy(details)
      ).requestFields.first("If-None-Match")
    }
    #expect(try tag(Self.first) == "\"1\"")
    #expect(try tag(HTTPConfiguration()) == nil)
  }

  @Test(arguments: ["", "Content-Location: /me"])
  func `a copy left by a push answers only requests with its credentials`(response: String) throws {
    let plan = try PushPlan(
      PendingWrite(key: "1", kind: .replace, value: [1], idempotencyKey: "key-1"),
      to: try HTTPAddress("https://example.org/me"), Self.first)
    let details: FetchDetails? =
      switch try plan.step(answer(200, response)) {
      case .settled(.accepted(let details)), .settled(.acceptedAs(_, let details)),
        .acceptedUnseen(let details):
        details
      default: nil
      }
    let variant = try #require(details).variant
    #expect(Self.first.selects(variant: variant))
    #expect(!HTTPConfiguration().selects(variant: variant))
  }

  @Test func `a value that no fetch brought answers every request`() {
    #expect(Self.first.selects(variant: nil))
  }
}
