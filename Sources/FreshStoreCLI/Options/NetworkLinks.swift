#if CommandLine
  internal import Platform

  /// The links of this host to others.
  enum NetworkLinks {
    /// True when one is up and not unplugged, whatever routes lead over it; also true when the
    /// system does not say (getifaddrs(3), netdevice(7)).
    static var areUp: Bool {
      var first: UnsafeMutablePointer<ifaddrs>?
      guard unsafe getifaddrs(&first) == 0 else { return true }
      defer { unsafe freeifaddrs(first) }
      let (up, loopback) = (UInt32(IFF_UP) | UInt32(IFF_RUNNING), UInt32(IFF_LOOPBACK))
      var next = unsafe first
      while let entry = unsafe next?.pointee {
        if unsafe entry.ifa_flags & (up | loopback) == up { return true }
        unsafe next = entry.ifa_next
      }
      return false
    }
  }
#endif
