#if CommandLine
  internal import Platform
  internal import Synchronization

  /// The signals received, in their order, for a thread to read.
  ///
  /// A handler may run on any thread at any time, so it only writes the number into a pipe.
  struct SignalPipe {
    private static let writingEnd = Atomic<Int32>(-1)
    private let pipe: Pipe

    /// Catches the signals from now on, except ignored ones. One per process.
    init(_ numbers: [Int32]) throws(Descriptor.Failure) {
      pipe = try Pipe()
      Self.writingEnd.store(pipe.writingEnd, ordering: .sequentiallyConsistent)
      for number in numbers where !Process.isIgnored(number) {
        _ = signal(number) { number in
          let saved = errno
          var byte = UInt8(truncatingIfNeeded: number)
          _ = unsafe write(SignalPipe.writingEnd.load(ordering: .sequentiallyConsistent), &byte, 1)
          errno = saved
        }
      }
    }

    /// Waits for the next signal; `nil` when none comes in time.
    func next(within limit: Duration? = nil) -> Int32? {
      guard !Descriptor.wait(for: [pipe.readingEnd], atMost: limit).isEmpty else { return nil }
      var byte: UInt8 = 0
      return unsafe read(pipe.readingEnd, &byte, 1) == 1 ? Int32(byte) : nil
    }
  }
#endif
