#if Gateway
  internal import NIOCore
  internal import Platform
  internal import Synchronization

  /// What a listener does while the system allows no further connection: it asks again after a moment, and operators are
  /// told once. Clients wait in the system's queue meanwhile; asked at once it would refuse again, without end.
  final class AcceptPause: Sendable {
    /// Long beside the work of a look, and short beside a client's patience.
    private static let pause = TimeAmount.milliseconds(100)
    /// Without a refusal for so long, the next one is told again.
    private static let calm = TimeAmount.minutes(1)

    private let last = Mutex<NIODeadline?>(nil)
    private let tell: @Sendable (String) -> Void

    init(tell: @escaping @Sendable (String) -> Void) { self.tell = tell }

    /// The errors after which the library keeps the listener; it ends with any other.
    private static let passing: Set<Int32> = [ECONNABORTED, EMFILE, ENFILE, ENOBUFS, ENOMEM]

    /// Notes a refusal, and has the listener ask again later.
    fileprivate func pause(_ listener: any Channel, after error: IOError) {
      let code = error.errnoCode
      guard Self.passing.contains(code) else { return tell(Self.words(of: code)) }
      // A client that has gone before it was taken is no want of anything.
      if code != ECONNABORTED, isNews() { tell(Self.words(of: code)) }
      _ = listener.setOption(.autoRead, value: false)
      listener.eventLoop.scheduleTask(in: Self.pause) {
        _ = listener.setOption(.autoRead, value: true)
      }
    }
  }

  extension AcceptPause {
    private func isNews() -> Bool {
      let now = NIODeadline.now()
      return last.withLock { last in
        defer { last = now }
        return last.map { now - $0 > Self.calm } ?? true
      }
    }

    /// What operators are told of an error.
    static func words(of code: Int32) -> String {
      let reason = unsafe String(cString: strerror(code)).lowercased()
      guard passing.contains(code) else {
        return "a listener has ended, and takes no connection any more: \(reason); "
          + "start the gateway again"
      }
      let words = "no more connections are taken for now: \(reason)"
      guard code == EMFILE else { return words }
      return "\(words); raise the limit of open files (ulimit -n), or lower --max-connections"
    }
  }

  /// What hears of the refusals of one listener.
  final class AcceptPauseHandler: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private let pause: AcceptPause

    init(_ pause: AcceptPause) { self.pause = pause }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      guard let error = error as? IOError else { return context.fireErrorCaught(error) }
      pause.pause(context.channel, after: error)
    }
  }
#endif
