#if CommandLine
  internal import Dispatch
  internal import Platform

  /// The events of a terminal.
  enum TerminalEvents {
    /// Runs the body at each change of the terminal's size; returns when `q` is pressed, the terminal
    /// hangs up, or the task is cancelled.
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

    /// Reads the typed keys.
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
