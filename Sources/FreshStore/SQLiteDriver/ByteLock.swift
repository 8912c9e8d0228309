internal import Platform

/// A lock on one byte of a file, of an open file description: `F_OFD_SETLK` and `F_OFD_GETLK` (fcntl_locking(2)), which
/// not every C library exposes to Swift.
enum ByteLock {
  #if os(Linux)
    private static let (get, set): (Int32, Int32) = (36, 37)

    private static func range(_ byte: Int64, _ kind: Int32) -> flock {
      var lock = flock()
      lock.l_type = Int16(kind)
      lock.l_whence = Int16(SEEK_SET)
      lock.l_start = off_t(byte)
      lock.l_len = 1
      return lock
    }
  #endif

  /// False where another has it, or there are no such locks.
  static func take(_ byte: Int64, shared: Bool = false, in descriptor: Int32) -> Bool {
    #if os(Linux)
      var lock = range(byte, shared ? F_RDLCK : F_WRLCK)
      return unsafe fcntl(descriptor, set, &lock) == 0
    #else
      return false
    #endif
  }

  static func giveBack(_ byte: Int64, of descriptor: Int32) {
    #if os(Linux)
      var lock = range(byte, F_UNLCK)
      _ = unsafe fcntl(descriptor, set, &lock)
    #endif
  }

  /// True where no other description of the file has a lock on the byte.
  static func isFree(_ byte: Int64, of descriptor: Int32) -> Bool {
    #if os(Linux)
      var lock = range(byte, F_WRLCK)
      return unsafe fcntl(descriptor, get, &lock) == 0 && lock.l_type == Int16(F_UNLCK)
    #else
      return false
    #endif
  }
}
