import Foundation
import Glibc
import NetworkStates

/// Runs code on a thread of its own, so that the namespace and the system-call filter it takes end
/// with it.
enum IsolatedThread {
  /// An operation that an isolated thread could not perform.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs `body` on a new thread and waits for its end.
  static func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result(catching: body))
      }
    }
  }

  /// True when this process may create network namespaces and has the tools to configure them.
  static let canMakeNetworks = Task {
    do {
      try await run {
        try enterNewNetwork()
        try addInterface()
      }
      return true
    } catch {
      print("tests in network namespaces are skipped: \(error)")
      return false
    }
  }

  /// True when system calls can be denied to a thread.
  static let canForbidCalls = Task {
    do {
      try await run { try forbid([.socket]) }
      return true
    } catch {
      print("tests without system calls are skipped: \(error)")
      return false
    }
  }

  /// Moves the calling thread into a new network namespace: a loopback that is down and nothing
  /// else.
  static func enterNewNetwork() throws {
    try unshare(0x4000_0000)
  }

  /// Gives the calling thread a descriptor table of its own that no other thread changes.
  static func takeOwnDescriptors() throws {
    try unshare(0x400)
  }

  static func unshare(_ flags: Int32) throws {
    typealias Unshare = @convention(c) (Int32) -> Int32
    guard let symbol = unsafe dlsym(nil, "unshare") else {
      throw Failure(description: "there is no unshare")
    }
    let unshare = unsafe unsafeBitCast(symbol, to: Unshare.self)
    guard unshare(flags) == 0 else { throw Failure(description: "unshare: errno \(errno)") }
  }

  /// Runs `ip` in the calling thread's network namespace, once for each line of arguments.
  static func configure(_ lines: String...) throws {
    for line in lines {
      let status = unsafe system("ip \(line)")
      guard status == 0 else { throw Failure(description: "ip \(line): status \(status)") }
    }
  }

  /// Writes into a file below `/proc/sys/net`, which belongs to the calling thread's namespace.
  static func set(_ setting: String, to value: String) throws {
    try Data(value.utf8).write(to: URL(filePath: "/proc/sys/net/\(setting)"))
  }

  /// Gives the namespace an interface with the address 10.77.0.2/24 and a live peer.
  static func addInterface() throws {
    for line in NetworkWalk.oneInterface { try configure(line) }
  }

  /// Makes the system calls fail with EPERM on the calling thread from now on, as sandboxes do.
  static func forbid(_ calls: [SystemCall]) throws {
    try install(filter(refusing: calls))
  }

  /// Makes netlink sockets fail with EPERM on the calling thread from now on; other sockets
  /// still work.
  static func forbidNetlink() throws {
    let netlink: UInt64 = 16
    // The first argument of the call, its lower half on a little-endian machine.
    let firstArgument: UInt64 = 16
    let otherwise: UInt64 = 1 << 24
    try install([
      loadWord, jumpIfEqual | 2 * otherwise | SystemCall.socket.rawValue << 32,
      loadWord | firstArgument << 32, jumpIfEqual | 1 << 16 | netlink << 32, allow, refuse,
    ])
  }

  private static func install(_ filter: [UInt64]) throws {
    typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
    guard let symbol = unsafe dlsym(nil, "prctl") else {
      throw Failure(description: "there is no prctl")
    }
    let control = unsafe unsafeBitCast(symbol, to: Control.self)
    let noNewPrivileges: Int32 = 38
    let seccomp: Int32 = 22
    let filterMode: UInt = 2
    guard control(noNewPrivileges, 1, 0, 0, 0) == 0 else {
      throw Failure(description: "no_new_privs: errno \(errno)")
    }
    let status = unsafe filter.withUnsafeBufferPointer { instructions in
      // struct sock_fprog: the number of instructions, then their address.
      let program: [UInt] = [
        UInt(instructions.count), UInt(bitPattern: instructions.baseAddress),
      ]
      return unsafe program.withUnsafeBufferPointer {
        control(seccomp, filterMode, UInt(bitPattern: $0.baseAddress), 0, 0)
      }
    }
    guard status == 0 else { throw Failure(description: "seccomp: errno \(errno)") }
  }

  // Instructions of classic BPF; each is a code of 16 bits, two jumps of 8 bits and a value of 32.
  private static let loadWord: UInt64 = 0x20
  private static let jumpIfEqual: UInt64 = 0x15
  private static let refuse = UInt64(0x06) | UInt64(0x0005_0000 | EPERM) << 32
  private static let allow: UInt64 = 0x06 | 0x7FFF_0000 << 32

  private static func filter(refusing calls: [SystemCall]) -> [UInt64] {
    let jumps = calls.enumerated().map { index, call in
      jumpIfEqual | UInt64(calls.count - index) << 16 | call.rawValue << 32
    }
    return [loadWord] + jumps + [allow, refuse]
  }
}

/// The numbers of the system calls that tests deny.
enum SystemCall: UInt64 {
  #if arch(arm64)
    case openat = 56
    case socket = 198
  #else
    case openat = 257
    case socket = 41
  #endif
}
