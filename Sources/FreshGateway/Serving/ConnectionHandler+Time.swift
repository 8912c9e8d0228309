#if Gateway
  internal import NIOCore

  /// The limits on a client's time.
  extension ConnectionHandler {
    /// When the connection has waited long enough.
    private var end: NIODeadline {
      let limits = core.limits
      if phase == .ending { return .distantFuture }
      var end = NIODeadline.distantFuture
      let isTaking = writer.unsent > 0
      if isTaking { end = writer.lastTaken + TimeAmount(limits.stallTime) }
      switch phase {
      case .reading where !hasWholeRequest: end = min(end, lastMove + TimeAmount(limits.stallTime))
      case .reading where isWaiting || decoder.isIdle && isTaking: break
      case .reading where decoder.isIdle: end = min(end, lastMove + TimeAmount(limits.idleTime))
      case .reading: end = min(end, headBegan + TimeAmount(limits.headTime))
      case .answering:
        let lastMove = max(lastMove, writer.lastTaken)
        end = min(end, request.deadline(isWhole: hasWholeRequest, lastMove: lastMove))
      case .writing: end = min(end, request.began + TimeAmount(limits.totalTime))
      case .closing:
        // A connection that is not counted must end soon.
        let time = slot?.isGranted ?? false ? limits.totalTime : limits.headTime
        end = min(end, lastMove + TimeAmount(time))
      case .ending: break
      }
      return end
    }

    /// When the first byte of the current header section came.
    private var headBegan: NIODeadline {
      if let firstByte { return firstByte }
      firstByte = lastMove
      return lastMove
    }

    func setTimer() {
      guard let context, phase != .ending else { return }
      if phase != .reading || isWaiting || decoder.isIdle || !hasWholeRequest { firstByte = nil }
      timer.set(end, on: context.eventLoop)
    }

    func fire() {
      guard let context, phase != .ending else { return }
      guard context.eventLoop.now >= end else { return setTimer() }
      if phase == .reading, !decoder.isIdle, hasWholeRequest, writer.unsent == 0 {
        return refuse(RequestRefusal(408, "the head of the request did not come in time"))
      }
      let isOver = context.eventLoop.now >= request.began + TimeAmount(core.limits.totalTime)
      // The client has announced more than it sends.
      let isStalled = !hasWholeRequest && request.upload?.hasRoom ?? false
      guard phase == .answering, !hasBegun, isStalled || isOver else { return cut(context) }
      refuse(.late(isStalled: isStalled))
    }
  }

  extension RequestRefusal {
    /// The answer when the time is over and no other answer has begun.
    ///
    /// - Parameter isStalled: True when the client has not sent its whole request.
    static func late(isStalled: Bool) -> RequestRefusal {
      isStalled
        ? RequestRefusal(408, "the content of the request did not come in time")
        : RequestRefusal(504, "there was no answer within the time that a request may take")
    }
  }

  /// Calls back at a deadline. It keeps one task on the event loop, and a later deadline takes effect only when the
  /// task fires.
  final class DeadlineTimer {
    /// Called at the earliest deadline that was set. A later deadline may have replaced it.
    var whenDue: () -> Void = {}

    private var task: Scheduled<Void>?
    private var end = NIODeadline.distantFuture

    /// Calls back at this time or earlier.
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
