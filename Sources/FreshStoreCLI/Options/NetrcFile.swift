#if CommandLine
  internal import FreshHTTP

  /// Logins by host, from a file that ftp(1) and curl read, too. They are secrets: no message repeats the
  /// contents of a line.
  struct NetrcFile: Sendable {
    private let logins: NetrcLogins

    /// The file in the user's folder.
    static var defaultPath: String {
      get throws(CommandFailure) {
        guard let home = Process.variable("HOME"), home.hasPrefix("/") else {
          throw CommandFailure(
            .usage, "HOME names no folder with a .netrc; name the file with --netrc-file")
        }
        return home + "/.netrc"
      }
    }

    /// Reads the file whole: one with anything wrong in it is not used at all.
    init(path: String) throws(CommandFailure) {
      let name = path.debugDescription
      let text = try PrivateFile.read(path, holding: "the logins")
      do throws(NetrcScanner.Problem) {
        logins = try NetrcLogins(text)
      } catch {
        throw CommandFailure(
          .usage, "the logins in \(name) cannot be used: line \(error.line) \(error.words)")
      }
    }

    /// Adds the login for a host to the fields of a request, unless they authorize it already.
    func authorize(_ fields: inout HeaderFields, for host: String) {
      guard fields.first("Authorization") == nil, let login = logins.login(for: host),
        login.name != nil || login.password != nil
      else { return }
      // RFC 7617 section 2.
      let credentials = (login.name ?? []) + [UInt8(ascii: ":")] + (login.password ?? [])
      fields.append("Authorization", "Basic " + Base64.encode(credentials))
    }
  }
#endif
