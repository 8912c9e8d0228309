/// How many files and sockets the process may have open at once.
package enum OpenFileLimit {
  #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let resource = RLIMIT_NOFILE
  #endif

  /// Raises the soft limit to `count`, or as far as the hard one allows; it is never lowered.
  ///
  /// Returns how many may be open then; throws where the system does not say.
  package static func raise(to count: Int) throws(ErrorNumber) -> Int {
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0 else { throw .last }
    let wanted = rlim_t(max(0, count))
    guard limit.rlim_cur < wanted else { return Int(clamping: limit.rlim_cur) }
    var raised = limit
    raised.rlim_cur = min(wanted, limit.rlim_max)
    guard unsafe setrlimit(resource, &raised) == 0 else { return Int(clamping: limit.rlim_cur) }
    return Int(clamping: raised.rlim_cur)
  }
}
