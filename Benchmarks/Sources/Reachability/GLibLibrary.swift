internal import Glibc

/// The functions of GLib for its network monitor, found at run time: nothing is linked.
///
/// Pointers are passed as numbers; GLib alone dereferences them.
struct GLibLibrary: Sendable {
  typealias Make = @Sendable @convention(c) () -> UInt
  typealias Ask = @Sendable @convention(c) (UInt) -> Int32
  typealias Reach = @Sendable @convention(c) (UInt, UInt, UInt, UInt) -> Int32
  typealias MakeAddress = @Sendable @convention(c) (UInt, UInt32) -> UInt
  typealias Name = @Sendable @convention(c) (UInt) -> UInt
  typealias Iterate = @Sendable @convention(c) (UInt, Int32) -> Int32
  typealias Wake = @Sendable @convention(c) (UInt) -> Void

  let version: String
  let defaultMonitor: Make
  let isAvailable: Ask
  let canReach: Reach
  let makeAddress: MakeAddress
  let typeName: Name
  let iterate: Iterate
  let wake: Wake

  init() throws(Failure) {
    guard let handle = unsafe dlopen("libgio-2.0.so.0", RTLD_NOW) else { throw .noGLib }
    let library = UInt(bitPattern: handle)
    version = try ["major", "minor", "micro"].map { name throws(Failure) in
      "\(try Self.number("glib_\(name)_version", in: library))"
    }.joined(separator: ".")
    defaultMonitor = try Self.function("g_network_monitor_get_default", in: library)
    isAvailable = try Self.function("g_network_monitor_get_network_available", in: library)
    canReach = try Self.function("g_network_monitor_can_reach", in: library)
    makeAddress = try Self.function("g_inet_socket_address_new_from_string", in: library)
    typeName = try Self.function("g_type_name_from_instance", in: library)
    iterate = try Self.function("g_main_context_iteration", in: library)
    wake = try Self.function("g_main_context_wakeup", in: library)
  }

  private static func function<Function>(
    _ name: String, in library: UInt
  ) throws(Failure) -> Function {
    unsafe unsafeBitCast(try symbol(name, in: library), to: Function.self)
  }

  private static func number(_ name: String, in library: UInt) throws(Failure) -> UInt32 {
    guard let place = unsafe UnsafePointer<UInt32>(bitPattern: try symbol(name, in: library)) else {
      throw .noGLib
    }
    return unsafe place.pointee
  }

  private static func symbol(_ name: String, in library: UInt) throws(Failure) -> UInt {
    let handle = unsafe UnsafeMutableRawPointer(bitPattern: library)
    guard let symbol = unsafe dlsym(handle, name) else { throw .noGLib }
    return UInt(bitPattern: symbol)
  }
}
