#if CommandLine
  internal import Subprocess

  extension Executable {
    /// A path, when it holds a slash; else a name to look for in `PATH`.
    static func located(_ name: String) -> Executable {
      name.contains("/") ? .path(path(name)) : .name(name)
    }

    /// Through the protocol: the path's own initialiser belongs to a module that is not a
    /// dependency.
    private static func path<Path: ExpressibleByStringLiteral>(_ text: String) -> Path
    where Path.StringLiteralType == String {
      Path(stringLiteral: text)
    }
  }
#endif
