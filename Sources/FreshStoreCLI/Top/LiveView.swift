#if CommandLine
  internal import Synchronization

  /// The frame on a screen, and its drawing.
  final class LiveView: Sendable {
    private let screen: Screen
    private let frame = Mutex<TopFrame?>(nil)

    init(_ screen: Screen) { self.screen = screen }

    /// Makes a frame and shows it, one at a time: no frame is shown after a newer one.
    func show(_ make: () throws -> TopFrame) throws {
      try frame.withLock { frame in
        let next = try make()
        frame = next
        try draw(next)
      }
    }

    /// Shows the last frame once more, in the present size of the terminal.
    func redraw() throws(CommandFailure) {
      try frame.withLock { (frame) throws(CommandFailure) in
        if let frame { try draw(frame) }
      }
    }

    private func draw(_ frame: TopFrame) throws(CommandFailure) {
      let size = Screen.size
      try screen.draw(frame.lines(height: size.height), width: size.width)
    }
  }
#endif
