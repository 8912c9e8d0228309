import Testing

@testable import FreshStore
@testable import FreshStoreTools

@Suite struct StoredValueTests {
  @Test func `a header that counts fewer bytes than its own length is refused`() {
    #expect(StoredValue.row([0x80, 0x01]) == nil)
    #expect(StoredValue.row([0x80, 0x80, 0x02, 0x00]) == nil)
    #expect(StoredValue.row([0x80, 0x02])?.isEmpty == true)
  }

  /// A row that is read is never longer than its bytes; the test is that no row ends the process.
  @Test func `short byte sequences do not stop the reader`() {
    var read = 0
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        for rest in [[], [0x00], [0x01], [0x7f], [0x80], [0xff], [0x80, 0x00], [0xff, 0x7f]]
          as [[UInt8]]
        {
          read += StoredValue.row([first, second] + rest)?.count ?? 0
        }
      }
    }
    #expect(read > 0)
  }
}
