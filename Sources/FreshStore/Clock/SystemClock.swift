internal import Platform
internal import Strategies

/// The machine's clocks: `CLOCK_REALTIME`, and `CLOCK_BOOTTIME` under the kernel's boot id.
public struct SystemClock: StoreClock {
  /// Creates the clock; the boot id is read once per process.
  public init() {}

  /// Reads both clocks.
  public func reading() -> ClockReading {
    ClockReading(
      wall: Timestamp(millisecondsSinceEpoch: Self.milliseconds(CLOCK_REALTIME)),
      boot: Self.bootIdentifier, sinceBoot: Self.sinceBoot)
  }

  /// Waits on the machine's continuous clock, at most some 95 years: a sum beyond the clock's range
  /// would trap. Less than no time is none.
  public func sleep(for duration: Duration) async throws {
    let duration = min(max(.zero, duration), .seconds(3_000_000_000))
    #if os(Linux)
      if let sleeps = SleepQueue.shared, sleeps.isRunning {
        return try await sleeps.sleep(nanoseconds: Int64(duration / .nanoseconds(1)))
      }
    #endif
    try await ContinuousClock().sleep(for: duration)
  }

  static var sinceBoot: Int64 { milliseconds(bootClock) }

  private static func milliseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  #if os(Linux)
    private static let bootClock = CLOCK_BOOTTIME
  #else
    private static let bootClock = CLOCK_MONOTONIC
  #endif

  /// The first 64 bits of `/proc/sys/kernel/random/boot_id`; 0 where there is none, which disables
  /// boot-clock ages and leaves the wall clock.
  static let bootIdentifier: Int64 = {
    let file = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return 0 }
    defer { close(file) }
    var text = [UInt8](repeating: 0, count: 36)
    let count = unsafe text.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
    let digits = text.prefix(max(0, count)).filter { $0 != UInt8(ascii: "-") }.prefix(16)
    return UInt64(String(decoding: digits, as: UTF8.self), radix: 16).map(Int64.init(bitPattern:))
      ?? 0
  }()
}
