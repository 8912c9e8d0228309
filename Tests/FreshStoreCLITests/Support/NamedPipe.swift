#if CommandLine
  import Dispatch
  import Glibc

  /// A named pipe by which a test and a command wait for each other. It is open at both ends, so
  /// that neither waits for the other to open it.
  final class NamedPipe: Sendable {
    struct Failure: Error {
      let number: Int32
    }

    let path: String
    private let descriptor: Int32

    init(_ path: String) throws {
      self.path = path
      guard unsafe mkfifo(path, 0o600) == 0 else { throw Failure(number: errno) }
      descriptor = unsafe open(path, O_RDWR | O_CLOEXEC)
      guard descriptor >= 0 else { throw Failure(number: errno) }
    }

    deinit { close(descriptor) }

    /// Lets one reader of a line continue.
    func write(_ line: String) {
      let bytes = Array("\(line)\n".utf8)
      _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }

    /// Waits for a line.
    func line() async -> String {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async { [descriptor] in
          var line: [UInt8] = []
          var byte: UInt8 = 0
          while unsafe read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
            line.append(byte)
          }
          continuation.resume(returning: String(decoding: line, as: UTF8.self))
        }
      }
    }
  }
#endif
