internal import Dispatch
internal import Foundation
internal import Synchronization

/// A process under a test's control: it continues on command, and can be stopped and killed at
/// any point. It dies with its last reference.
///
/// Started by `posix_spawn` itself: Foundation's `Process` reads past a directory entry while it
/// looks for open files, which now and then ends the tests.
public final class ChildProcess: Sendable {
  /// The executable could not be started.
  public struct NotStarted: Error {
    /// The number of the error.
    public let code: Int32
  }

  private let input: FileHandle
  private let output: FileHandle
  private let queue = DispatchQueue(label: "child-output")
  private let hasEnded = Mutex(false)
  /// The process's number.
  public let identifier: Int32

  /// Starts an executable, whose standard error is the tests' own.
  ///
  /// - Parameter inheritsDescriptors: True hands all open descriptors over, as a service manager hands sockets.
  public init(
    _ executable: String, _ arguments: [String], inheritsDescriptors: Bool = false
  ) throws {
    let (toChild, fromChild) = (Self.closedPipe(), Self.closedPipe())
    input = toChild.fileHandleForWriting
    output = fromChild.fileHandleForReading
    identifier = try Self.spawn(
      [executable] + arguments,
      input: toChild.fileHandleForReading, output: fromChild.fileHandleForWriting,
      inheritsDescriptors)
    try toChild.fileHandleForReading.close()
    try fromChild.fileHandleForWriting.close()
  }

  deinit {
    // Once it has been reaped, its number may be another's.
    guard !hasEnded.withLock({ $0 }) else { return }
    kill(identifier, SIGKILL)
    // Leaves no zombie; its exit status is ignored.
    waitpid(identifier, nil, 0)
  }

  /// Starts an executable that is built beside the tests.
  public convenience init(beside name: String, _ arguments: [String]) throws {
    try self.init(Self.folder + "/" + name, arguments)
  }

  /// The folder of the executables that are built with the tests.
  public static var folder: String {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
  }

  /// `posix_spawn_file_actions_addclosefrom_np`, which glibc hides unless GNU extensions are asked for; nil before
  /// glibc 2.34.
  private static let addCloseFrom: SpawnAction? = {
    let symbol = unsafe dlsym(nil, "posix_spawn_file_actions_addclosefrom_np")
    return unsafe symbol.map { unsafe unsafeBitCast($0, to: SpawnAction.self) }
  }()
  private typealias SpawnAction =
    @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

  /// A pipe whose ends no other child inherits: a sibling with a copy of an end would hide the end of the
  /// child from the reader.
  private static func closedPipe() -> Pipe {
    let pipe = Pipe()
    for handle in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
      _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }
    return pipe
  }

  private static func spawn(
    _ arguments: [String], input: FileHandle, output: FileHandle, _ inheritsDescriptors: Bool
  ) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input.fileDescriptor, STDIN_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, output.fileDescriptor, STDOUT_FILENO)
    // SwiftNIO marks no socket as closed on exec: a child with a copy of an origin's would hold its port open
    // after the origin has ended.
    if !inheritsDescriptors { _ = unsafe Self.addCloseFrom?(&actions, STDERR_FILENO + 1) }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // The starting thread may block signals, and the tests may ignore some: a child that
    // inherits those settings cannot be asked to end.
    var (none, all) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var identifier: pid_t = 0
    let code = unsafe posix_spawn(
      &identifier, arguments[0], &actions, &attributes, &words, environ)
    guard code == 0 else { throw NotStarted(code: code) }
    return identifier
  }

  /// Writes a line to the process.
  public func say(_ words: String) throws {
    try input.write(contentsOf: Data("\(words)\n".utf8))
  }

  /// Sends the process a signal.
  public func signal(_ number: Int32) {
    kill(identifier, number)
  }

  /// The next line the process prints; empty when it is an empty one, or the process has ended.
  public func line() async -> String { await nextLine() ?? "" }

  /// The next line the process prints; `nil` when it has ended.
  public func nextLine() async -> String? {
    await withCheckedContinuation { continuation in
      queue.async { [output] in
        var line: Data?
        // A pipe that cannot be read has ended, too.
        while let byte = (try? output.read(upToCount: 1)) ?? nil, let first = byte.first {
          line = line ?? Data()
          guard first != UInt8(ascii: "\n") else { break }
          line?.append(first)
        }
        continuation.resume(returning: line.map { String(decoding: $0, as: UTF8.self) })
      }
    }
  }

  /// Waits for the end of the process; its exit code, or 128 and the signal that ended it. Call it
  /// once, and send no signal after it.
  public func end() async -> Int32 {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        var status: Int32 = 0
        unsafe waitpid(identifier, &status, 0)
        hasEnded.withLock { $0 = true }
        let signal = status & 0x7f
        continuation.resume(returning: signal == 0 ? status >> 8 & 0xff : 128 + signal)
      }
    }
  }
}
