internal import Testing

@testable import FreshHTTP

@Suite struct CacheControlTests {
  @Test(arguments: [
    ("max-age=60", CacheControl.MaximumAge.after(.seconds(60))),
    ("MAX-AGE=60", .after(.seconds(60))),
    ("max-age=\"60\"", .after(.seconds(60))),
    ("  max-age=60  ,", .after(.seconds(60))),
    (",,private,max-age=60", .after(.seconds(60))),
    ("max-age=0", .after(.zero)),
    ("max-age=60, max-age=10", .invalid), ("max-age=60, max-age=60", .after(.seconds(60))),
    ("max-age=99999999999999999999999", .after(.seconds(2_147_483_648))),
    ("max-age", .invalid), ("max-age=", .invalid), ("max-age=x", .invalid),
    ("max-age=-1", .invalid), ("max-age=1.5", .invalid), ("max-age =60", .invalid),
    ("max-age=60 junk", .invalid), ("max-age=x, max-age=60", .invalid),
    ("max-age=\"60", .invalid),
  ])
  func `RFC 9111 5.2.2.1 and 1.2.2: max-age`(text: String, expected: CacheControl.MaximumAge) {
    #expect(CacheControl(text).maximumAge == expected)
  }

  @Test(arguments: ["", "s-maxage=60", "x=\"a, max-age=60\"", "xmax-age=60", "min-fresh=3"])
  func `RFC 9111 5.2.2.10 and 5.2.3: other directives are not max-age`(text: String) {
    #expect(CacheControl(text).maximumAge == nil)
  }

  @Test(
    arguments: [
      ("no-store", "no-store"), ("No-Store=1", "no-store"), ("no-cache", "no-cache"),
      ("no-cache=", "no-cache"), ("no-cache=\"\"", "no-cache"), ("no-cache=\"a b\"", "no-cache"),
      ("no-cache=\"unterminated", "no-cache"), ("must-revalidate", "must-revalidate"),
      ("must-understand", "must-understand"), ("public", "public"), ("immutable", "immutable"),
      ("x=\"unterminated, no-store", "no-store"), ("x=\"no-store\"", nil), ("no-storex", nil),
    ] as [(String, String?)])
  func `RFC 9111 5.2.2 and RFC 8246: directives without arguments`(text: String, name: String?) {
    let control = CacheControl(text)
    let flags = [
      "no-store": control.noStore, "no-cache": control.noCache, "public": control.isPublic,
      "must-revalidate": control.mustRevalidate, "must-understand": control.mustUnderstand,
      "immutable": control.isImmutable,
    ]
    #expect(flags.filter(\.value).map(\.key) == (name.map { [$0] } ?? []))
  }

  @Test func `a missing field sets nothing`() {
    #expect(CacheControl(nil) == CacheControl(""))
    #expect(!CacheControl(nil).noStore)
  }

  @Test func `RFC 9111 5.2.2.4: no-cache with field names binds those fields alone`() {
    let control = CacheControl("no-cache=\"Set-Cookie, Content-Type\"")
    #expect(!control.noCache)
    #expect(control.noCacheFields == ["set-cookie", "content-type"])
  }

  @Test(
    arguments: [
      ("stale-while-revalidate=30", 30), ("stale-while-revalidate=\"30\"", 30),
      ("stale-while-revalidate=x", nil), ("stale-while-revalidate", nil),
    ] as [(String, Int?)])
  func `RFC 5861 3: stale-while-revalidate`(text: String, seconds: Int?) {
    #expect(CacheControl(text).staleWhileRevalidate == seconds.map { .seconds($0) })
  }

  @Test(
    arguments: [
      ("stale-if-error=30", 30), ("max-age=1, stale-if-error=86400", 86400),
      ("stale-if-error=-1", nil),
    ] as [(String, Int?)])
  func `RFC 5861 4: stale-if-error`(text: String, seconds: Int?) {
    #expect(CacheControl(text).staleIfError == seconds.map { .seconds($0) })
  }
}
