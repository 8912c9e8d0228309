internal import Synchronization

/// A thread of the operating system, for work that blocks.
package enum DetachedThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }

  /// Runs `body` on a new thread that receives no signals, because signals belong to the program.
  package static func start(_ body: @escaping @Sendable () -> Void) throws(ErrorNumber) {
    var every = sigset_t()
    var previous = sigset_t()
    unsafe sigfillset(&every)
    unsafe pthread_sigmask(SIG_SETMASK, &every, &previous)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &previous, nil) }
    let box = unsafe Unmanaged.passRetained(Body(body))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let entry: Entry = { context in
      unsafe DetachedThread.run(context)
      return nil
    }
    let status = unsafe pthread_create(&thread, nil, entry, box.toOpaque())
    guard status == 0 else {
      unsafe box.release()
      throw ErrorNumber(status)
    }
    detach(thread)
  }

  #if canImport(Darwin)
    private typealias Entry = @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?

    private static func detach(_ thread: pthread_t?) {
      if let thread = unsafe thread { unsafe pthread_detach(thread) }
    }
  #else
    private typealias Entry = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?

    private static func detach(_ thread: pthread_t) {
      pthread_detach(thread)
    }
  #endif

  private static func run(_ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
  }
}

/// The number of forks between this process and the process that started counting. A child has only the forking
/// thread, so state that other threads kept current is frozen in it.
package enum ForkCount {
  private static let count = Atomic<UInt64>(0)
  private static let isCounting = pthread_atfork(nil, nil, { ForkCount.increment() }) == 0

  /// The present count; costs one load.
  package static var now: UInt64 { count.load(ordering: .relaxed) }

  /// The present count; from now on forks are counted.
  package static func begin() -> UInt64 {
    _ = isCounting
    return now
  }

  private static func increment() {
    count.wrappingAdd(1, ordering: .relaxed)
  }
}
