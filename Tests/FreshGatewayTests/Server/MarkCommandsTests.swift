#if Gateway
  internal import Testing

  @testable import FreshGateway

  /// The commands for operators cover the lost marks, and show no query.
  @Suite struct MarkCommandsTests {
    private static func commands(_ addresses: String...) -> [String] {
      MarkCommands.covering(addresses.map { .address(CopyKey($0)) }, in: "http", of: "/s.db")
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
      #expect(Self.commands(address) == ["freshstore mark --db '/s.db' --collection http \(words)"])
    }

    @Test func `a long address is named by the beginning of its key`() throws {
      let address = "http://a.example/" + String(repeating: "b", count: 1000)
      let command = try #require(Self.commands(address).first)
      let start = "freshstore mark --db '/s.db' --collection http --prefix '"
      #expect(command.hasPrefix(start + "http://a.example/bbb") && command.hasSuffix("b'"))
      #expect(CopyKey(address).base.hasPrefix(command.dropFirst(start.count).dropLast()))
    }

    @Test func `marks of one kind are one command, and what they share is said once`() {
      let marks: [PendingInvalidations.Mark] = [
        .address(CopyKey("http://a.example/b")), .tag("http://a.example:80 g"),
        .address(CopyKey("http://a.example/c?1")), .address(CopyKey("http://a.example/c?2")),
        .address(CopyKey("http://a.example/d")),
      ]
      #expect(
        MarkCommands.covering(marks, in: "http-private", of: "/s.db") == [
          "freshstore mark --db '/s.db' --collection http-private 'http://a.example/b' 'http://a.example/d'",
          "freshstore mark --db '/s.db' --collection http-private --prefix 'http://a.example/c?'",
          "freshstore mark --db '/s.db' --tag 'http://a.example:80 g'",
        ])
      #expect(MarkCommands.covering([], in: "http", of: "/s.db") == [])
      #expect(
        MarkCommands.covering(marks + [.everything], in: "http", of: "/s.db") == [
          "freshstore mark --db '/s.db' --all --collection http"
        ])
    }

    @Test func `every command names the store, as one word of a shell`() {
      let path = "/srv/it's a store.db"
      let verb = #"freshstore mark --db '/srv/it'\''s a store.db' "#
      let marks: [PendingInvalidations.Mark] = [
        .address(CopyKey("http://a.example/b")), .address(CopyKey("http://a.example/c?1")),
        .tag("http://a.example:80 g"),
      ]
      let commands = MarkCommands.covering(marks, in: "http", of: path)
      #expect(commands.count == 3)
      #expect(commands.allSatisfy { $0.hasPrefix(verb) })
      #expect(MarkCommands.everything(in: "http", of: path).hasPrefix(verb))
    }
  }
#endif
