internal import Glibc

/// What this process has used so far, its children left out.
public struct ProcessUsage {
  /// Time of a processor, the kernel's for it included.
  public let processorTime: Duration
  /// How often one of its threads went to sleep, which is how often one was woken.
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
