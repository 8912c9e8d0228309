#if CommandLine
  internal import FreshGateway
  internal import Synchronization

  /// The gateway that runs, if any, for the thread that ends the program at once (``Interruption``).
  final class ServedGateway: Sendable {
    private let gateway = Mutex<Gateway?>(nil)

    func begin(_ gateway: Gateway) { self.gateway.withLock { $0 = gateway } }

    /// It has ended in order, and has told what there was to tell.
    func end() { gateway.withLock { $0 = nil } }

    var lastWords: String? { gateway.withLock { $0 }?.lastWords }
  }
#endif
