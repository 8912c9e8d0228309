internal import Platform
internal import Strategies

/// One attempt to open a TCP connection. It tries all addresses of a host at once, because a family without a route
/// must not use up the time of the others.
enum SocketAttempt {
  /// The outcome of the attempt at one address.
  enum Outcome: Equatable {
    /// The host answered.
    case answered
    case noRoute(String)
    case failed(String)
    case silent
  }

  private static let maximumAddresses = 8

  private static let openSocket =
    SocketKind.stream | SocketKind.closeOnExec | SocketKind.nonBlocking

  /// Blocks until a host answers, all addresses have failed, or the time is over.
  static func reachability(of host: String, port: UInt16, timeout: Duration) -> Reachability {
    do throws(HostLookupError) {
      // This thread is the attempt's own and may wait for the resolver.
      let addresses = try SystemResolver.socketAddresses(of: host, port: port)
      return judge(
        connect(to: addresses.prefix(maximumAddresses), until: .now + timeout),
        host: "\(host):\(port)")
    } catch {
      return .unknown("\(error)")
    }
  }

  /// One answer is enough. Silence leaves the path in doubt, and so does a mixture with failures of the attempt
  /// itself. The host is offline only when the kernel has no route to any address.
  static func judge(_ outcomes: [Outcome], host: String) -> Reachability {
    if outcomes.contains(.answered) { return .online }
    if outcomes.contains(.silent) { return .suspected("\(host): no answer in time") }
    var causes: [String] = []
    var failures: [String] = []
    for outcome in outcomes {
      switch outcome {
      case .noRoute(let cause): causes.append(cause)
      case .failed(let failure): failures.append(failure)
      case .answered, .silent: continue
      }
    }
    if failures.isEmpty, !causes.isEmpty {
      return .offline("\(host): \(causes.joined(separator: ", "))")
    }
    return .unknown("\(host): \((failures + causes).joined(separator: ", "))")
  }

  /// The meaning of a connection error. `ECONNREFUSED` and `ECONNRESET` come from the host itself. `EHOSTUNREACH`
  /// and `ENETUNREACH` may come from a router after a while; `isImmediate` means that the kernel returned the error
  /// at once.
  ///
  /// Over IPv4 `EADDRNOTAVAIL` means that every local port is in use; over IPv6 it may mean that there is no source
  /// address.
  static func outcome(of error: ErrorNumber, isImmediate: Bool, isIPv4: Bool = false) -> Outcome {
    switch error.code {
    case EADDRNOTAVAIL where isIPv4: return .failed("\(error)")
    case 0, ECONNREFUSED, ECONNRESET: return .answered
    case ETIMEDOUT: return .silent
    case ENETUNREACH, EHOSTUNREACH, EINVAL, EACCES, EADDRNOTAVAIL:
      // An error of a router beyond the first hop proves nothing about the routes of this host.
      return isImmediate ? .noRoute("\(error)") : .silent
    default: return .failed("\(error)")
    }
  }
}

extension SocketAttempt {
  private static func connect(
    to addresses: some Sequence<[UInt8]>, until end: ContinuousClock.Instant
  ) -> [Outcome] {
    var outcomes: [Outcome] = []
    var waited: [pollfd] = []
    defer { for entry in waited { close(entry.fd) } }
    for address in addresses {
      let family = IPAddress.family(of: address) ?? AF_UNSPEC
      let descriptor = socket(family, openSocket, 0)
      guard descriptor >= 0 else {
        outcomes.append(.failed("socket: \(ErrorNumber.last)"))
        continue
      }
      waited.append(pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0))
      let error = connect(descriptor, to: address)
      if error.code == EINPROGRESS { continue }
      waited.removeLast()
      close(descriptor)
      outcomes.append(outcome(of: error, isImmediate: true, isIPv4: family == AF_INET))
    }
    while !outcomes.contains(.answered), !waited.isEmpty {
      let rest = end - .now
      guard rest > .zero else { return outcomes + waited.map { _ in .silent } }
      guard unsafe poll(&waited, nfds_t(waited.count), rest.pollTimeout) > 0 else { continue }
      for entry in waited where entry.revents != 0 {
        outcomes.append(outcome(of: pendingError(entry.fd), isImmediate: false))
        close(entry.fd)
      }
      waited.removeAll { $0.revents != 0 }
    }
    return outcomes
  }

  private static func connect(_ descriptor: Int32, to address: [UInt8]) -> ErrorNumber {
    #if canImport(Darwin)
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    #endif
    let status = unsafe address.withUnsafeBytes { bytes in
      let generic = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
      return unsafe Platform.connect(descriptor, generic, socklen_t(bytes.count))
    }
    return status == 0 ? ErrorNumber(0) : .last
  }

  private static func pendingError(_ descriptor: Int32) -> ErrorNumber {
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    let status = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
    return status == 0 ? ErrorNumber(code) : .last
  }
}

extension Duration {
  /// Whole milliseconds as `poll` takes them. Rounded up, so that a wait never ends just before its time. Never
  /// negative, which would mean for ever.
  var pollTimeout: Int32 {
    guard self > .zero else { return 0 }
    let (seconds, attoseconds) = components
    let rest = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int32(clamping: min(seconds, 1_000_000) * 1_000 + rest)
  }
}
