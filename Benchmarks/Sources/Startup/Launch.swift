internal import BenchmarkKit
internal import Glibc

/// A program and its arguments, to be started and waited for as a shell does.
struct Launch {
  /// Its name in the tables.
  let name: String
  private let words: [String]

  /// The cost of a run, from before the start until the end was known.
  struct Cost {
    let time: Duration
    /// Processor time, the kernel's included.
    let processorTime: Duration
    let pageFaults: Int
  }

  init(_ name: String, _ words: [String]) {
    self.name = name
    self.words = words
  }

  /// Runs it once; its standard input is empty.
  func run(writingTo path: String = "/dev/null") throws(BenchmarkFailure) -> Cost {
    let start = ContinuousClock.now
    let child = try spawn(writingTo: path)
    var status: Int32 = 0
    var usage = rusage()
    while unsafe wait4(child, &status, 0, &usage) != child {
      guard errno == EINTR else { throw BenchmarkFailure(words: "wait4: errno \(errno)") }
    }
    let end = ContinuousClock.now
    guard status == 0 else {
      throw BenchmarkFailure(words: "\(words[0]) ended with the status \(status)")
    }
    return Cost(
      time: end - start,
      processorTime: Self.duration(usage.ru_utime) + Self.duration(usage.ru_stime),
      pageFaults: usage.ru_minflt + usage.ru_majflt)
  }

  private func spawn(writingTo path: String) throws(BenchmarkFailure) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(
      &actions, 1, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var child: pid_t = 0
    let error = unsafe posix_spawnp(&child, words[0], &actions, nil, &arguments, environ)
    guard error == 0 else {
      throw BenchmarkFailure(words: "\(words[0]) cannot be started: errno \(error)")
    }
    return child
  }

  private static func duration(_ time: timeval) -> Duration {
    .seconds(time.tv_sec) + .microseconds(time.tv_usec)
  }
}
