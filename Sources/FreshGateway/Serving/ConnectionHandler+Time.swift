#if Gateway
  internal import NIOCore

  /// How long a client may take.
  extension ConnectionHandler {
    /// When the connection has waited for long enough.
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
        end = min(end, request.began + TimeAmount(limits.totalTime))
        if !hasWholeRequest, request.upload?.hasRoom ?? false {
          // Who takes an answer to the beginning of the content need send no more of that (RFC 9112 section 9.5).
          end = min(end, max(lastMove, writer.lastTaken) + TimeAmount(limits.stallTime))
        }
      case .writing: end = min(end, request.began + TimeAmount(limits.totalTime))
      case .closing:
        // One that is not counted may not stay.
        let time = slot?.isGranted ?? false ? limits.totalTime : limits.headTime
        end = min(end, lastMove + TimeAmount(time))
      case .ending: break
      }
      return end
    }

    /// When the first byte of the head came that is being read.
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
    /// The answer to a request whose time is over before anything of another one was sent.
    ///
    /// - Parameter isStalled: True where its client has not sent all of it.
    static func late(isStalled: Bool) -> RequestRefusal {
      isStalled
        ? RequestRefusal(408, "the content of the request did not come in time")
        : RequestRefusal(504, "there was no answer within the time that a request may take")
    }
  }

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
