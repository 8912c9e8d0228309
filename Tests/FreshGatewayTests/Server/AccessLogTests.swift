internal import Dispatch
internal import FreshHTTP
internal import Synchronization
internal import Testing

@testable import FreshGateway

/// A log that takes nothing holds up nobody.
@Suite(.timeLimit(.minutes(1))) struct AccessLogTests {
  /// A log whose first batch is taken when the test says so.
  private final class SlowFile: Sendable {
    private let bytes = Mutex<[UInt8]>([])
    private let isOpen = DispatchSemaphore(value: 0)
    private let begun = Mutex(false)

    /// True once a batch has come.
    var hasBegun: Bool { begun.withLock { $0 } }

    func write(_ lines: [UInt8]) -> Bool {
      begun.withLock { $0 = true }
      isOpen.wait()
      isOpen.signal()
      bytes.withLock { $0 += lines }
      return true
    }

    func open() { isOpen.signal() }

    var lines: [String] {
      let text = bytes.withLock { String(decoding: $0, as: UTF8.self) }
      return text.split(separator: "\n").map(String.init)
    }
  }

  private func entry(_ number: Int) -> AccessEntry {
    AccessEntry(
      peer: "127.0.0.1", at: arrival, method: "GET", target: "/\(number)", version: .http11,
      status: 200, length: 7, duration: .zero)
  }

  @Test(arguments: [AccessLog.Form.common, .json])
  func `lines that find no room while it is blocked are lost, counted and told of`(
    form: AccessLog.Form
  ) async {
    let file = SlowFile()
    let log = AccessLog(form, room: 10_000) { file.write($0) }
    log.add(entry(0))
    log.flush()
    while !file.hasBegun { await Task.yield() }
    for number in 1...1000 { log.add(entry(number)) }
    let lost = log.lost
    #expect(lost > 900 && lost < 1000)
    file.open()
    await log.close()
    log.add(entry(1001))
    await log.close()
    let lines = file.lines
    let told = lines.filter { $0.contains("lost") }
    #expect(told.count == 1)
    #expect(told.first?.contains("\(lost)") == true)
    #expect(lines.count == 1002 - lost + 1)
    #expect(log.lost == lost)
  }

  @Test func `what its file does not take is counted`() async {
    let log = AccessLog(.common) { _ in false }
    for number in 1...3 { log.add(entry(number)) }
    await log.close()
    #expect(log.lost == 3)
  }
}
