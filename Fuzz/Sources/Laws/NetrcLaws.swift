@testable import Command

/// The laws that reading a netrc file keeps for any bytes.
enum NetrcLaws {
  /// The laws for bytes as the text of a file, and as a login and a password in one.
  static func check(_ input: [UInt8]) {
    checkText(input)
    checkQuotes(input)
  }

  // MARK: The text of a file

  private static let host = "last.example"
  private static let secret = NetrcLogins.Login(name: Array("n".utf8), password: Array("p".utf8))

  private static func checkText(_ text: [UInt8]) {
    guard let logins = read(text) else { return }
    let login = logins.login(for: host)
    law("a host is one in either case", logins.login(for: host.uppercased()) == login)
    for value in [login?.name, login?.password].compactMap(\.self) {
      law("a value is no longer than the text", value.count <= text.count)
    }
    // The empty line ends a macro.
    let more = text + Array("\n\nmachine \(host) login n password p".utf8)
    law("the first entry for a host counts", read(more)?.login(for: host) == login ?? secret)
  }

  // MARK: A login and a password

  private static func checkQuotes(_ input: [UInt8]) {
    let name = input.prefix { $0 != UInt8(ascii: "\n") }
    let password = input.dropFirst(name.count + 1)
    let text =
      Array("default login ".utf8) + quoted(name) + Array(" password ".utf8) + quoted(password)
    let login = read(text)?.login(for: host)
    guard !name.contains(UInt8(ascii: ":")) else {
      return law("a login has no colon", login == nil)
    }
    law("a quoted login is read as it is", login?.name == Array(name))
    law("a quoted password is read as it is", login?.password == Array(password))
  }

  private static func quoted(_ value: ArraySlice<UInt8>) -> [UInt8] {
    let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
    let escaped = value.flatMap { $0 == quote || $0 == backslash ? [backslash, $0] : [$0] }
    return [quote] + escaped + [quote]
  }

  // MARK: Reading

  private static func read(_ text: [UInt8]) -> NetrcLogins? {
    do throws(NetrcScanner.Problem) {
      return try NetrcLogins(text)
    } catch {
      let lines = text.count { $0 == UInt8(ascii: "\n") } + 1
      law("a problem is in a line of the text", (1...lines).contains(error.line))
      law("a problem is told in words of ours", error.words.isHarmless && error.words.isASCII)
      return nil
    }
  }
}

extension String {
  fileprivate var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
