#if CommandLine
  internal import Platform

  /// The service manager that has started the program, such as systemd.
  ///
  /// It hands over listening sockets (sd_listen_fds(3)). The program tells it when the service is ready and when it
  /// ends (sd_notify(3)).
  enum ServiceManager {
    /// The sockets that were handed over.
    struct Sockets: Sendable {
      var clients: [Int32] = []
      /// The socket of the name `admin`.
      var operators: Int32?
    }

    /// Takes the sockets that are for this process; `nil` for none.
    static func sockets() throws(CommandFailure) -> Sockets? {
      guard Process.variable("LISTEN_PID") == "\(getpid())",
        let count = Process.variable("LISTEN_FDS").flatMap({ Int32($0) }), count > 0
      else { return nil }
      let names = (Process.variable("LISTEN_FDNAMES") ?? "")
        .split(separator: ":", omittingEmptySubsequences: false)
      var sockets = Sockets()
      for (place, descriptor) in (first..<(first + min(count, 64))).enumerated() {
        guard listens(descriptor) else {
          throw CommandFailure(
            .usage,
            "the socket \(place + 1) that was handed over is no TCP socket that listens; use ListenStream= with a port"
          )
        }
        // Programs that this one starts do not inherit it.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        if place < names.count, names[place] == "admin" {
          sockets.operators = descriptor
        } else {
          sockets.clients.append(descriptor)
        }
      }
      return sockets
    }

    private static let first: Int32 = 3

    private static func listens(_ descriptor: Int32) -> Bool {
      guard option(SO_ACCEPTCONN, of: descriptor) == 1,
        option(SO_TYPE, of: descriptor) == SocketKind.stream
      else { return false }
      #if os(Linux)
        return [AF_INET, AF_INET6].contains(option(SO_DOMAIN, of: descriptor))
      #else
        return true
      #endif
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
      var value: Int32 = 0
      var length = socklen_t(MemoryLayout<Int32>.size)
      guard unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 else {
        return nil
      }
      return value
    }

    /// Tells the service manager a state, such as `READY=1`, if it wants to know. This does not wait.
    static func tell(_ state: String) {
      guard let path = Process.variable("NOTIFY_SOCKET"), path.hasPrefix("/") || path.hasPrefix("@")
      else { return }
      var bytes = Array(path.utf8)
      // The abstract namespace of Linux.
      if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let capacity = MemoryLayout.size(ofValue: address.sun_path)
      guard bytes.count < capacity else { return }
      unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
        unsafe place.copyBytes(from: bytes)
      }
      let descriptor = socket(AF_UNIX, SocketKind.datagram | SocketKind.closeOnExec, 0)
      guard descriptor >= 0 else { return }
      defer { close(descriptor) }
      let length = socklen_t(MemoryLayout<sockaddr_un>.size - capacity + bytes.count)
      let message = Array(state.utf8)
      unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          // A service manager that has stopped listening does not want to know.
          _ = unsafe sendto(
            descriptor, message, message.count, Int32(MSG_DONTWAIT), pointer, length)
        }
      }
    }
  }
#endif
