internal import Platform
public import Strategies

/// The store's clock: it tells the time, once per operation, and it waits.
/// Programs use ``SystemClock``; tests use `ManualClock` of `FreshStoreTesting`.
public protocol StoreClock: Sendable {
  /// The time now. Cost: two clock reads, some 50 ns.
  func reading() -> ClockReading
  /// Waits until `duration` has passed on the boot clock.
  ///
  /// - Throws: `CancellationError` when the task is cancelled first.
  func sleep(for duration: Duration) async throws
  /// Waits until the boot clock shows `moment`, a time since boot.
  ///
  /// A clock that is moved by hand implements this method, so that no move falls between reading the time
  /// and waiting. Any other clock waits for the difference from ``reading()``.
  ///
  /// - Throws: `CancellationError` when the task is cancelled first.
  func sleep(until moment: Duration) async throws
}

extension StoreClock {
  /// Waits for as long as ``reading()`` is before `moment`.
  public func sleep(until moment: Duration) async throws {
    let left = moment - .milliseconds(reading().sinceBoot)
    if left > .zero { try await sleep(for: left) }
  }
}

extension StoreClock where Self == SystemClock {
  /// The machine's clocks.
  public static var system: SystemClock { SystemClock() }
}

/// One reading of two clocks: the wall clock, and the time since boot.
/// People and other machines share the wall clock, but it may be set. The time since boot only goes forward.
public struct ClockReading: Sendable, Hashable {
  /// The wall clock.
  public let wall: Timestamp
  /// The boot of the machine; 0 when the machine does not tell.
  public let boot: Int64
  /// Milliseconds since that boot, suspended time included.
  public let sinceBoot: Int64

  /// Creates a reading.
  public init(wall: Timestamp, boot: Int64, sinceBoot: Int64) {
    self.wall = wall
    self.boot = boot
    self.sinceBoot = sinceBoot
  }
}

extension ClockReading {
  /// The position in the refetch queue of a record that is stale since `moment`.
  /// It is at most now: the wall clock may have been set back since `moment`, and the record need not wait.
  func place(since moment: Timestamp) -> Timestamp { min(moment, wall) }

  /// This moment on the wall clock of a later reading, so that a step of the clock between the two
  /// readings changes no interval.
  package func wall(at later: ClockReading) -> Timestamp {
    later.wall.advanced(by: .milliseconds(sinceBoot - later.sinceBoot))
  }
}

/// The machine's clocks: `CLOCK_REALTIME`, and `CLOCK_BOOTTIME` together with the kernel's boot id.
public struct SystemClock: StoreClock {
  /// Creates the clock; the boot id is read once per process.
  public init() {}

  /// A reading of both clocks.
  public func reading() -> ClockReading {
    ClockReading(
      wall: Timestamp(millisecondsSinceEpoch: Self.milliseconds(CLOCK_REALTIME)),
      boot: Self.bootIdentifier, sinceBoot: Self.sinceBoot)
  }

  /// Waits on the machine's continuous clock, at most some 95 years: a sum beyond the clock's range
  /// would trap. A negative duration counts as zero.
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

  /// The first 64 bits of `/proc/sys/kernel/random/boot_id`; 0 where that file is missing.
  /// With 0, ages are computed by the wall clock only.
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

/// A moment on the boot clock.
struct BootTime {
  /// The boot of the machine; 0 when the machine does not tell.
  let boot: Int64
  let milliseconds: Int64
}

extension SystemClock {
  /// The time on the boot clock, at half the cost of reading both clocks.
  static var bootTime: BootTime {
    BootTime(boot: bootIdentifier, milliseconds: sinceBoot)
  }

  /// True when the kernel considers the wall clock synchronised, as by NTP; `nil` when it does not tell.
  package static var isSynchronised: Bool? {
    #if os(Linux)
      // Swift's view of the C headers lacks adjtimex(2).
      guard let symbol = unsafe dlsym(nil, "adjtimex") else { return nil }
      let ask = unsafe unsafeBitCast(
        symbol, to: (@convention(c) (UnsafeMutableRawPointer) -> CInt).self)
      // With zero modes the call only queries; the structure has 208 bytes.
      var buffer = [UInt64](repeating: 0, count: 64)
      let state = unsafe buffer.withUnsafeMutableBytes { bytes -> CInt in
        guard let start = bytes.baseAddress else { return -1 }
        return unsafe ask(start)
      }
      let unsynchronised: CInt = 5
      return state < 0 ? nil : state != unsynchronised
    #else
      return nil
    #endif
  }
}
