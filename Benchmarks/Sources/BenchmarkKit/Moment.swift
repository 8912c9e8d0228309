internal import Glibc

/// The clock that all processes of a machine share and that cannot be set, in nanoseconds.
public enum Moment {
  /// This moment.
  public static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
