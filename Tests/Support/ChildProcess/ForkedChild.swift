internal import Platform

/// A forked child that continues with this program.
public enum ForkedChild {
  /// The reason for a failed fork: the number of a system error.
  public struct Failure: Error {
    /// The number.
    public let number: Int32
  }

  /// Forks, runs `body` in the child, and returns the status the child ended with: what `body`
  /// returned, times 256.
  public static func status(of body: () -> Int32) throws(Failure) -> Int32 {
    // Swift does not allow a call of `fork` by name.
    typealias Fork = @convention(c) () -> pid_t
    guard let symbol = unsafe dlsym(nil, "fork") else { throw Failure(number: ENOSYS) }
    let child = unsafe unsafeBitCast(symbol, to: Fork.self)()
    if child == 0 { _exit(body()) }
    var status: Int32 = 0
    guard child > 0, unsafe waitpid(child, &status, 0) == child else {
      throw Failure(number: errno)
    }
    return status
  }
}
