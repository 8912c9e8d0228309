/// The names of users.
package enum UserName {
  /// The name of a user; the number when the system knows no name.
  package static func of(_ user: UInt32) -> String {
    guard let entry = unsafe getpwuid(user) else { return "\(user)" }
    return unsafe String(cString: entry.pointee.pw_name)
  }
}
