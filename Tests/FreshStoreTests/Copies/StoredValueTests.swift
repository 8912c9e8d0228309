import Testing

@testable import FreshStore

@Suite struct StoredValueTests {
  @Test func `a header that counts fewer bytes than its own length takes is none`() {
    #expect(StoredValue.row([0x80, 0x01]) == nil)
    #expect(StoredValue.row([0x80, 0x80, 0x02, 0x00]) == nil)
    #expect(StoredValue.row([0x80, 0x02])?.isEmpty == true)
  }

  /// A row that is read is never longer than its bytes; what matters is that none of them ends the process.
  @Test func `no few bytes stop the reader`() {
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
