#if CommandLine
  internal import Platform

  /// The path of the program that a name stands for. All of it is bytes: two paths may differ in bytes that are no
  /// text.
  enum ProgramPath {
    /// The program's absolute path with the links of its folder resolved; the name itself for one that is not found.
    ///
    /// - Parameter name: A path, when it holds a slash, else a name to look for in `PATH`, as for
    ///   ``ChildProgram``.
    static func resolved(_ name: [UInt8]) -> [UInt8] {
      guard !name.contains(slash) else { return absolute(name) ?? name }
      let folders = (variable("PATH") ?? Array("/bin:/usr/bin".utf8))
        .split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      for folder in folders {
        // An empty name is the working folder.
        let path = (folder.isEmpty ? [UInt8(ascii: ".")] : Array(folder)) + [slash] + name
        if isProgram(path) { return absolute(path) ?? path }
      }
      return name
    }

    /// The working folder, with links resolved; empty where it is gone.
    static var workingFolder: [UInt8] { resolved(folder: Array(".".utf8)) ?? [] }

    /// The value of a variable of the environment.
    static func variable(_ name: String) -> [UInt8]? {
      unsafe getenv(name).map { unsafe bytes($0) }
    }

    private static let slash = UInt8(ascii: "/")

    private static func absolute(_ path: [UInt8]) -> [UInt8]? {
      guard let end = path.lastIndex(of: slash),
        let folder = resolved(folder: Array(path[...end]))
      else { return nil }
      return (folder == [slash] ? [] : folder) + path[end...]
    }

    private static func resolved(folder: [UInt8]) -> [UInt8]? {
      guard let path = unsafe realpath(folder.map(CChar.init(bitPattern:)) + [0], nil) else {
        return nil
      }
      defer { unsafe free(path) }
      return unsafe bytes(path)
    }

    private static func isProgram(_ path: [UInt8]) -> Bool {
      let path = path.map(CChar.init(bitPattern:)) + [0]
      var status = stat()
      return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        && access(path, X_OK) == 0
    }

    private static func bytes(_ text: UnsafeMutablePointer<CChar>) -> [UInt8] {
      let count = unsafe strlen(text)
      return unsafe UnsafeBufferPointer(start: text, count: count).map(UInt8.init(bitPattern:))
    }
  }
#endif
