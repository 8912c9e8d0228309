#if os(Linux)
  internal import Platform

  /// A socket to the kernel's routing (netlink(7), `NETLINK_ROUTE`), which needs no privilege. It stays in the
  /// network namespace in which it was made.
  ///
  /// A message without an address goes to the kernel.
  struct NetlinkSocket: ~Copyable {
    let descriptor: Int32

    init() throws(ErrorNumber) {
      descriptor = socket(AF_NETLINK, SocketKind.raw | SocketKind.closeOnExec, 0)
      guard descriptor >= 0 else { throw .last }
    }

    deinit { close(descriptor) }

    /// Takes an address of its own. Without an address the kernel announces nothing to the socket.
    func bind() throws(ErrorNumber) {
      // The C library's module lacks struct sockaddr_nl: the family, and zeroes that let the kernel choose.
      var address: (UInt32, UInt32, UInt32) = (0, 0, 0)
      let status = unsafe withUnsafeMutableBytes(of: &address) { bytes in
        unsafe bytes.storeBytes(of: UInt16(AF_NETLINK), as: UInt16.self)
        let generic = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
        return unsafe Platform.bind(descriptor, generic, socklen_t(bytes.count))
      }
      guard status == 0 else { throw .last }
    }

    /// Joins a multicast group (`RTNLGRP_…`).
    func join(_ group: UInt32) throws(ErrorNumber) {
      var group = group
      let netlinkLevel: Int32 = 270
      let addMembership: Int32 = 1
      let size = socklen_t(MemoryLayout<UInt32>.size)
      guard unsafe setsockopt(descriptor, netlinkLevel, addMembership, &group, size) == 0 else {
        throw .last
      }
    }

    /// Sends one message. The kernel has answered it when this returns.
    func send(_ message: [UInt8]) throws(ErrorNumber) {
      let sent = unsafe message.withUnsafeBytes { bytes in
        unsafe Platform.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT))
      }
      guard sent == message.count else { throw .last }
    }

    /// Takes the next datagram, without waiting; `nil` when there is none.
    func receive() throws(ErrorNumber) -> [UInt8]? {
      var error: ErrorNumber?
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 32 << 10) { buffer, count in
        let received = unsafe recv(
          descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        if received < 0 { error = .last }
        count = max(received, 0)
      }
      guard let error else { return bytes }
      guard error.code == EAGAIN else { throw error }
      return nil
    }

    /// Discards all pending datagrams. Datagrams that a full buffer lost do not matter: each only means that
    /// something changed.
    func drain() throws(ErrorNumber) {
      var byte: UInt8 = 0
      while true {
        let received = unsafe recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT))
        guard received < 0 else { continue }
        switch errno {
        case EAGAIN: return
        case ENOBUFS, EINTR: continue
        default: throw .last
        }
      }
    }
  }

  /// Asks the kernel's routing for addresses over a netlink socket. An address costs about a microsecond and the
  /// number of routes does not matter.
  enum RouteLookup {
    /// Asks once, over a socket opened in the calling thread's network namespace.
    static func ask(_ targets: [IPAddress]) throws(ErrorNumber) -> [RouteAnswer] {
      let socket = try NetlinkSocket()
      var number: UInt32 = 0
      return ask(targets, over: socket, number: &number)
    }

    /// Asks for each address; `number` distinguishes the questions of one socket.
    static func ask(
      _ targets: [IPAddress], over socket: borrowing NetlinkSocket, number: inout UInt32
    ) -> [RouteAnswer] {
      var answers: [RouteAnswer] = []
      for target in targets {
        let target = target.routed
        answers.append(
          RouteAnswer(for: target, source: RouteProbe.source(for:)) {
            question throws(ErrorNumber) in
            number &+= 1
            try socket.send(question.bytes(sequence: number))
            while let datagram = try socket.receive() {
              if let reply = RouteReply(datagram, sequence: number) { return reply }
            }
            throw .noAnswer
          })
      }
      return answers
    }
  }
#endif
