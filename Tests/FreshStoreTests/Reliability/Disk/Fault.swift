import CSQLite

/// The kind and the time of a fault.
struct Fault: Sendable {
  /// The kind of fault.
  enum Trouble: String, Sendable, CaseIterable {
    /// Every call on the file fails.
    case device
    /// Calls that make files longer fail.
    case full
    /// A write is done halfway.
    case torn
  }

  let trouble: Trouble
  /// The call that fails, counted from 1 among those that the fault concerns.
  let number: Int
  /// Whether all later calls fail as well.
  let lasts: Bool

  /// The verdict of a faulty disk; `nil` when the fault does not concern the call.
  static func verdict(_ trouble: Trouble, on call: DiskCall) -> DiskVerdict? {
    switch (trouble, call) {
    case (_, .unfetch): nil
    case (.torn, .write): .failHalfway(ioError(3))
    case (.torn, _): nil
    case (.full, .write): .fail(SQLITE_FULL)
    case (.full, .mapShared): .fail(ioError(19))
    case (.full, .open): .fail(SQLITE_CANTOPEN)
    case (.full, _): nil
    case (.device, .open): .fail(SQLITE_CANTOPEN)
    case (.device, .read): .fail(ioError(1))
    case (.device, .write): .fail(ioError(3))
    case (.device, .sync): .fail(ioError(4))
    case (.device, .truncate): .fail(ioError(6))
    case (.device, .size): .fail(ioError(7))
    case (.device, .delete): .fail(ioError(10))
    case (.device, .lock): .fail(ioError(15))
    case (.device, .lockShared): .fail(ioError(20))
    case (.device, .mapShared): .fail(ioError(21))
    }
  }

  /// An extended result code, which C makes by a macro that Swift does not see.
  private static func ioError(_ number: Int32) -> Int32 { SQLITE_IOERR | number << 8 }
}
