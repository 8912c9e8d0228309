#if Gateway
  internal import NIOCore

  /// A time after which something is looked at: one task of the event loop, which moves forward only when it fires.
  final class DeadlineTimer {
    /// Called when the time has come that was set first; a later one may have been meant since.
    var whenDue: () -> Void = {}

    private var task: Scheduled<Void>?
    private var end = NIODeadline.distantFuture

    /// Has it fire no later than that.
    func set(_ end: NIODeadline, on loop: any EventLoop) {
      guard task == nil || end < self.end else { return }
      cancel()
      guard end < .distantFuture else { return }
      self.end = end
      let bound = NIOLoopBound(self, eventLoop: loop)
      task = loop.scheduleTask(deadline: end) {
        bound.value.task = nil
        bound.value.whenDue()
      }
    }

    func cancel() {
      task?.cancel()
      task = nil
    }
  }
#endif
