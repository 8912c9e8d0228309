import Rules
import Testing

@Suite struct JSONLinesTests {
  private static func lines(_ text: String) -> [JSONLine] { Array(JSONLines(Array(text.utf8))) }

  @Test(arguments: ["1\n[2]\n3", "1\n[2]\n3\n", "1\r\n[2]\r\n3\r\n"])
  func `each line is a value`(text: String) throws {
    #expect(try Self.lines(text).map { try $0.value() } == [1, [2], 3])
    #expect(Self.lines(text).map(\.number) == [1, 2, 3])
    #expect(Self.lines(text).map(\.bytes) == ["1", "[2]", "3"].map { Array($0.utf8)[...] })
  }

  @Test func `blank lines are skipped and counted`() {
    #expect(Self.lines("\n \t\r\n1\n\n2\n\n").map(\.number) == [3, 5])
    #expect(Self.lines("").isEmpty)
  }

  @Test func `an error about a line that is not JSON has its number, and the other lines are read`()
    throws
  {
    let lines = Self.lines("1\n{\"a\"\n2")
    let error = try #require(throws: JSONSyntaxError.self) { try lines[1].value() }
    #expect([error.position.line, error.position.column, error.position.offset] == [2, 5, 4])
    #expect(try lines[2].value() == 2)
  }

  @Test func `the options apply to each line`() {
    let lines = Array(JSONLines(Array("[[]]\n[]".utf8), JSONParsingOptions(depth: 1)))
    #expect(throws: JSONSyntaxError.self) { try lines[0].value() }
    #expect(throws: Never.self) { try lines[1].value() }
  }
}
