internal import Testing

@testable import FreshHTTP

@Suite struct DigestTests {
  @Test(
    arguments: [
      ("", [0xe3b0_c442, 0x98fc_1c14, 0x7852_b855]),
      ("abc", [0xba78_16bf, 0x8f01_cfea, 0xf200_15ad]),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        [0x248d_6a61, 0xd206_38b8, 0x19db_06c1]
      ),
    ] as [(String, [UInt32])])
  func `FIPS 180-4: the examples of the standard`(text: String, ends: [UInt32]) {
    let hash = Digest.hash(Array(text.utf8))
    #expect([hash[0], hash[1], hash[7]] == ends)
  }

  @Test(arguments: 50...70) func `every length is padded to whole blocks`(count: Int) {
    let one = Digest.hash(Array(repeating: 97, count: count))
    let other = Digest.hash(Array(repeating: 97, count: count + 1))
    #expect(one.count == 8 && one != other)
  }

  @Test func `neighbours do not run together`() {
    func digest(_ texts: String...) -> String {
      var digest = Digest()
      for text in texts { digest.add(text) }
      return digest.description
    }
    #expect(digest("ab", "c") != digest("a", "bc"))
    #expect(digest("a") != digest("a", ""))
    #expect(digest("a").count == 32)
  }
}
