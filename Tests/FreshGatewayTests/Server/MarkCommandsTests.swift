#if Gateway
  internal import Testing

  @testable import FreshGateway

  /// What operators are to type covers what is lost, and shows no query.
  @Suite struct MarkCommandsTests {
    private static func commands(_ addresses: String...) -> [String] {
      MarkCommands.covering(addresses.map { .address(CopyKey($0)) }, in: "http")
    }

    @Test(arguments: [
      ("http://a.example/b", "'http://a.example/b'"),
      ("http://a.example/b?id=7", "--prefix 'http://a.example/b?'"),
      ("http://a.example/b?", "--prefix 'http://a.example/b?'"),
      ("http://a.example/it's", #"'http://a.example/it'\''s'"#),
      ("http://a.example/'?id=7", #"--prefix 'http://a.example/'\''?'"#),
    ])
    func `an address is named, and one with a query by its beginning`(
      address: String, words: String
    ) {
      #expect(Self.commands(address) == ["freshstore mark --collection http \(words)"])
    }

    @Test func `a long address is named by the beginning of its key`() throws {
      let address = "http://a.example/" + String(repeating: "b", count: 1000)
      let command = try #require(Self.commands(address).first)
      let start = "freshstore mark --collection http --prefix '"
      #expect(command.hasPrefix(start + "http://a.example/bbb") && command.hasSuffix("b'"))
      #expect(CopyKey(address).base.hasPrefix(command.dropFirst(start.count).dropLast()))
    }

    @Test func `marks of one kind are one command, and what they share is said once`() {
      let marks: [OwedInvalidations.Mark] = [
        .address(CopyKey("http://a.example/b")), .tag("http://a.example:80 g"),
        .address(CopyKey("http://a.example/c?1")), .address(CopyKey("http://a.example/c?2")),
        .address(CopyKey("http://a.example/d")),
      ]
      #expect(
        MarkCommands.covering(marks, in: "http-private") == [
          "freshstore mark --collection http-private 'http://a.example/b' 'http://a.example/d'",
          "freshstore mark --collection http-private --prefix 'http://a.example/c?'",
          "freshstore mark --tag 'http://a.example:80 g'",
        ])
      #expect(MarkCommands.covering([], in: "http") == [])
      #expect(
        MarkCommands.covering(marks + [.everything], in: "http") == [
          "freshstore mark --all --collection http"
        ])
    }
  }
#endif
