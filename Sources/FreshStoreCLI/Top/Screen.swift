#if CommandLine
  internal import Dispatch
  internal import Platform
  internal import Synchronization

  /// The alternate screen of a terminal, for frames of text. The terminal is restored afterwards.
  ///
  /// The sequences are those of xterm, which every current terminal knows
  /// (https://invisible-island.net/xterm/ctlseqs/ctlseqs.html).
  final class Screen: Sendable {
    private struct State {
      var isOpen = false
      /// The original settings of the keyboard; `nil` when standard input is no terminal.
      var settings: termios?
    }

    private let state = Mutex(State())
    private static let enter = "\u{1B}[?1049h\u{1B}[?25l"
    private static let leave = "\u{1B}[?25h\u{1B}[?1049l"

    /// Takes the screen over. Keys come one by one and are not echoed. Ctrl-C is still a signal. Keys that would stop
    /// the program or its output are disabled, because they would leave the screen behind.
    func open() throws(CommandFailure) {
      try state.withLock { (state) throws(CommandFailure) in
        guard !state.isOpen else { return }
        state.settings = Self.takeKeyboard()
        state.isOpen = true
        try StandardOutput.write(Array(Self.enter.utf8))
      }
    }

    /// Restores the terminal. Calling it again does nothing, and nothing is drawn after it.
    func close() {
      state.withLock { state in
        guard state.isOpen else { return }
        state.isOpen = false
        do throws(CommandFailure) {
          try StandardOutput.write(Array(Self.leave.utf8))
        } catch {
          // The terminal is gone, and with it the settings to restore.
        }
        if var settings = state.settings {
          _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
        }
      }
    }

    /// Draws a frame over the one before, in one write, so that nothing flickers.
    func draw(_ lines: [String], width: Int) throws(CommandFailure) {
      let rows = lines.map { TextWidth.truncated($0, to: width) + "\u{1B}[K" }
      // The frame is drawn from the top. The end of each line is cleared, and everything below the last.
      let frame = "\u{1B}[H" + rows.joined(separator: "\r\n") + "\u{1B}[J"
      try state.withLock { (state) throws(CommandFailure) in
        guard state.isOpen else { return }
        try StandardOutput.write(Array(frame.utf8))
      }
    }

    /// The present number of lines and columns; 24 and 80 where the terminal does not say.
    static var size: (height: Int, width: Int) {
      var size = winsize()
      let code = unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size)
      guard code == 0, size.ws_row > 0, size.ws_col > 0 else { return (24, 80) }
      return (Int(size.ws_row), Int(size.ws_col))
    }

    private static func takeKeyboard() -> termios? {
      guard Process.inputIsTerminal else { return nil }
      var settings = termios()
      guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
      let before = settings
      settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
      settings.c_iflag &= ~tcflag_t(IXON)
      unsafe withUnsafeMutableBytes(of: &settings.c_cc) { keys in
        unsafe keys[Int(VMIN)] = 1
        unsafe keys[Int(VTIME)] = 0
        unsafe keys[Int(VSUSP)] = disabled
        unsafe keys[Int(VQUIT)] = disabled
      }
      return unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings) == 0 ? before : nil
    }

    /// The value of `_POSIX_VDISABLE`.
    #if os(Linux)
      private static let disabled: UInt8 = 0
    #else
      private static let disabled: UInt8 = 0xFF
    #endif
  }

  /// The last frame on a screen.
  final class LiveView: Sendable {
    private let screen: Screen
    private let frame = Mutex<TopFrame?>(nil)

    init(_ screen: Screen) { self.screen = screen }

    /// Makes a frame and shows it. One call runs at a time, so that no frame is shown after a newer one.
    func show(_ make: () throws -> TopFrame) throws {
      try frame.withLock { frame in
        let next = try make()
        frame = next
        try draw(next)
      }
    }

    /// Shows the last frame again, in the present size of the terminal.
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

  /// The events of a terminal.
  enum TerminalEvents {
    /// Runs the body at each change of the terminal's size. Returns when the user presses `q`, the terminal hangs up,
    /// or the task is cancelled.
    static func follow(_ body: () throws -> Void) async throws {
      let (events, continuation) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
      let resized = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: .global())
      resized.setEventHandler { continuation.yield() }
      resized.resume()
      defer { resized.cancel() }
      let keys = Process.inputIsTerminal ? keys { continuation.finish() } : nil
      defer { keys?.cancel() }
      for await _ in events { try body() }
    }

    private static func keys(
      _ leave: @escaping @Sendable () -> Void
    ) -> any DispatchSourceRead {
      let source = DispatchSource.makeReadSource(
        fileDescriptor: Descriptor.standardInput, queue: .global())
      source.setEventHandler { if isLeaving() { leave() } }
      source.resume()
      return source
    }

    /// Reads the typed keys; true when the user leaves.
    private static func isLeaving() -> Bool {
      var typed = [UInt8](repeating: 0, count: 64)
      let count = unsafe typed.withUnsafeMutableBytes { bytes in
        unsafe read(Descriptor.standardInput, bytes.baseAddress, bytes.count)
      }
      if count < 0 { return errno != EAGAIN && errno != EINTR }
      return count == 0 || typed[..<count].contains { "qQ".utf8.contains($0) }
    }
  }
#endif
