internal import Glibc

/// The usage of this process so far, without its children.
public struct ProcessUsage {
  /// Processor time, the kernel's included.
  public let processorTime: Duration
  /// How often one of its threads went to sleep, and so was woken.
  public let sleeps: Int

  /// As of now.
  public static var now: ProcessUsage {
    var usage = rusage()
    let ofThisProcess: Int32 = 0
    unsafe getrusage(ofThisProcess, &usage)
    return ProcessUsage(
      processorTime: duration(usage.ru_utime) + duration(usage.ru_stime), sleeps: usage.ru_nvcsw)
  }

  private static func duration(_ time: timeval) -> Duration {
    .seconds(time.tv_sec) + .microseconds(time.tv_usec)
  }
}
