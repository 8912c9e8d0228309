import Foundation
import Rules
import SanitizerSuppressions
import Synchronization
import Testing

@Suite struct JSONWritingTests {
  @Test func `compact JSON has no spaces`() {
    let value: JSONValue = ["a": [1, nil, true], "b": [:], "c": [], "d": "x"]
    #expect(value.text() == "{\"a\":[1,null,true],\"b\":{},\"c\":[],\"d\":\"x\"}")
    #expect(value.bytes() == Array(value.text().utf8))
    #expect("\(value)" == value.text())
  }

  @Test func `pretty JSON has a line for each member and element`() {
    let value: JSONValue = ["a": [1, ["b": 2]], "c": [], "d": [:]]
    #expect(
      value.text(.pretty) == """
        {
          "a": [
            1,
            {
              "b": 2
            }
          ],
          "c": [],
          "d": {}
        }
        """)
  }

  @Test func `exactly the characters that JSON requires are escaped`() {
    let value = JSONValue.string("\"\\/\u{0}\u{8}\n\r\t\u{1F}\u{7F}é\u{2028}😀")
    #expect(value.text() == "\"\\\"\\\\/\\u0000\\u0008\\n\\r\\t\\u001f\u{7F}é\u{2028}😀\"")
  }

  @Test func `values of the greatest depth need only a small stack`() async throws {
    let depth = JSONParsingOptions.greatestDepth
    let text =
      String(repeating: "[{\"a\":", count: depth / 2) + "0"
      + String(repeating: "}]", count: depth / 2)
    let result = Mutex(false)
    await withCheckedContinuation { continuation in
      let thread = Thread {
        // A failure to parse leaves the result false.
        if let value = try? JSONValue(parsing: text),
          let copy = try? JSONValue(parsing: value.text(.pretty))
        {
          let isSame = value == copy && value.hashValue == copy.hashValue && value.text() == text
          result.withLock { $0 = isSame }
        }
        continuation.resume()
      }
      thread.stackSize = (isSanitized() ? 8 : 1) * 512 << 10
      thread.start()
    }
    #expect(result.withLock { $0 })
  }
}
