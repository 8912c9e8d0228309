#if os(Linux)
  internal import Platform

  /// Asks the kernel's routing for addresses over a netlink socket; about a microsecond each,
  /// whatever the number of routes.
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
