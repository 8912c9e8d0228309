import Rules
import Testing

@Suite struct FormatTests {
  @Test(arguments: [
    ("123e4567-e89b-12d3-A456-426614174000", true), ("00000000-0000-0000-0000-000000000000", true),
    ("123e4567-e89b-12d3-a456-42661417400g", false), ("", false), ("----", false),
    ("123e4567-e89b-12d3-a456-42661417400", false),
    ("123e4567-e89b-12d3-a456-4266141740000", false),
    ("123e456-7e89b-12d3-a456-426614174000", false), ("123e4567e89b12d3a456426614174000", false),
    ("{123e4567-e89b-12d3-a456-426614174000}", false),
    ("123e4567-e89b-12d3-a456-426614174000-", false),
    ("-123e4567-e89b-12d3-a456-426614174000", false),
    ("123e4567-e89b-12d3-a456-42661417400\u{FF10}", false),
  ])
  func `unique identifiers`(text: String, isKept: Bool) {
    #expect(Rule.uuid.isKept(by: text) == isKept)
  }

  @Test(arguments: [
    ("2024-02-29", true), ("2023-02-29", false), ("2000-02-29", true), ("1900-02-29", false),
    ("2024-04-31", false), ("2024-12-31", true), ("2024-13-01", false), ("2024-00-01", false),
    ("2024-01-00", false), ("24-01-01", false), ("2024-1-1", false), ("20240101", false),
    ("2024-01-01 ", false), ("", false), ("-2024-01-01", false), ("٢٠٢٤-01-01", false),
    ("0000-01-01", true), ("2024-01-32", false),
  ])
  func `days`(text: String, isKept: Bool) {
    #expect(Rule.time(.date).isKept(by: text) == isKept)
  }

  @Test(arguments: [
    ("00:00", true), ("23:59", true), ("23:59:59", true), ("23:59:59.123", true), ("24:00", false),
    ("23:60", false), ("23:59:60", false), ("23:59:", false), ("23:59:59.", false), ("23", false),
    ("2:00", false), ("23:59Z", false),
  ])
  func `times of day`(text: String, isKept: Bool) {
    #expect(Rule.time(.time).isKept(by: text) == isKept)
    #expect(Rule.time(.localDateTime).isKept(by: "2024-02-29T\(text)") == isKept)
    #expect(!Rule.time(.localDateTime).isKept(by: text))
  }

  @Test(arguments: [
    ("2024-02-29T12:00:00Z", true), ("2024-02-29t12:00:00z", true),
    ("2024-02-29T12:00:00.5+01:00", true), ("2024-02-29T12:00:00-23:59", true),
    ("2024-02-29T12:00:00", false), ("2024-02-29T12:00Z", false), ("2024-02-29 12:00:00Z", false),
    ("2024-02-29T12:00:00+24:00", false), ("2024-02-29T12:00:00+01", false),
    ("2024-02-29T12:00:00+0100", false), ("2023-02-29T12:00:00Z", false),
    ("2016-12-31T23:59:60Z", true), ("2016-06-30T23:59:60Z", true),
    ("2017-01-01T00:59:60+01:00", true), ("2016-12-31T15:59:60-08:00", true),
    ("2016-12-30T23:59:60Z", false), ("2016-12-31T23:58:60Z", false),
    ("2016-03-31T23:59:60Z", false), ("2017-01-02T00:59:60+01:00", false),
    ("2016-12-31T23:59:61Z", false),
  ])
  func `instants`(text: String, isKept: Bool) {
    #expect(Rule.time(.instant).isKept(by: text) == isKept)
  }

  @Test(arguments: [
    (PostalCountry.unitedKingdom, "SW1A 1AA"), (.unitedKingdom, "M1 1AE"),
    (.unitedKingdom, "B33 8TH"),
    (.unitedKingdom, "CR2 6XH"), (.unitedKingdom, "DN55 1PT"), (.unitedKingdom, "W1A 0AX"),
    (.unitedKingdom, "GIR 0AA"), (.germany, "01067"), (.germany, "99998"), (.france, "75001"),
    (.unitedStates, "90210"), (.unitedStates, "90210-1234"), (.netherlands, "1012 AB"),
    (.switzerland, "8001"), (.austria, "1010"), (.canada, "K1A 0B1"), (.belgium, "9000"),
    (.italy, "00118"), (.spain, "28013"), (.poland, "00-001"), (.sweden, "113 46"),
    (.denmark, "0800"), (.norway, "0150"), (.japan, "100-0001"), (.australia, "0800"),
    (.brazil, "01310-200"), (.portugal, "1000-205"), (.ireland, "D02 X285"), (.ireland, "D6W XK00"),
    (.finland, "00100"), (.luxembourg, "1009"), (.czechia, "110 00"), (.india, "110001"),
  ])
  func `postal codes`(country: PostalCountry, text: String) {
    #expect(Rule.postalCode(country).isKept(by: text))
    #expect(!Rule.postalCode(country).isKept(by: text + "\n"))
    #expect(!Rule.postalCode(country).isKept(by: " " + text))
    #expect(!Rule.postalCode(country).isKept(by: String(text.dropLast())))
  }

  @Test(arguments: [
    (PostalCountry.unitedKingdom, "SW1A1AA"), (.unitedKingdom, "M11AE"),
    (.unitedKingdom, "BFPO 57"), (.unitedKingdom, "BFPO1"), (.netherlands, "1012AB"),
    (.canada, "K1A0B1"), (.ireland, "D02X285"), (.unitedKingdom, "BF1 3AA"),
  ])
  func `a space may be left out where the post office allows it`(
    country: PostalCountry, text: String
  ) {
    #expect(Rule.postalCode(country).isKept(by: text))
  }

  @Test(arguments: ["AA9AAAA", "A9A", "99A9 A99", "A", "9A A99", "A9A  9AA", "sw1a 1aa"])
  func `S-61: an invalid UK postcode`(text: String) {
    #expect(!Rule.postalCode(.unitedKingdom).isKept(by: text))
  }

  @Test(arguments: [
    (PostalCountry.unitedKingdom, "QA1 1AA"), (.unitedKingdom, "AI1 1AA"),
    (.unitedKingdom, "M1 1CA"),
    (.unitedKingdom, "A1L 1AA"), (.unitedKingdom, "AB1C 1AA"), (.germany, "00999"),
    (.germany, "0１067"), (.netherlands, "0123 AB"), (.netherlands, "1012 SS"),
    (.switzerland, "0999"),
    (.austria, "0999"), (.canada, "D1A 0B1"), (.canada, "W1A 0B1"), (.canada, "K1O 0B1"),
    (.spain, "00013"), (.spain, "60013"), (.unitedStates, "90210-123"), (.ireland, "B02 X285"),
    (.france, ""), (.france, "7500A"), (.unitedKingdom, "BFPO 0"), (.unitedKingdom, "BFPO 12345"),
    (.unitedKingdom, "SW1A-1AA"), (.unitedKingdom, "SW1A  1AA"), (.canada, "K1A-0B1"),
    (.germany, "01 067"), (.sweden, "1 1346"),
  ])
  func `letters and digits outside a country's format`(country: PostalCountry, text: String) {
    #expect(!Rule.postalCode(country).isKept(by: text))
  }
}
