#if CommandLine
  import Foundation
  import Testing

  /// Programs of others that speak HTTP, where they are installed.
  enum ForeignProgram {
    static let curl = path(["curl"])
    static let python = path(["python3"])
    static let browser = path([
      "chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
      "chrome-headless-shell",
    ])

    /// True where the curl that is installed was built with HTTP/2.
    static var curlSpeaksStreams: Bool {
      get async {
        do {
          return try await Playground().runShell("curl --version").text.contains(" HTTP2")
        } catch {
          return false
        }
      }
    }

    /// Where the environment of a ``Playground`` finds programs.
    private static let folders = ["/usr/local/bin", "/usr/bin", "/bin"]

    private static func path(_ names: [String]) -> String? {
      names.flatMap { name in folders.map { "\($0)/\(name)" } }.first {
        FileManager.default.isExecutableFile(atPath: $0)
      }
    }
  }

  extension Trait where Self == ConditionTrait {
    /// Skips where there is no curl.
    static var needsCurl: Self {
      .enabled(
        if: ForeignProgram.curl != nil, "curl is not installed (on Debian: apt install curl)")
    }

    /// Skips where curl was built without HTTP/2.
    static var needsCurlOfStreams: Self {
      .enabled("curl was built without HTTP/2") { await ForeignProgram.curlSpeaksStreams }
    }

    /// Skips where there is no Python.
    static var needsPython: Self {
      .enabled(
        if: ForeignProgram.python != nil,
        "Python is not installed (on Debian: apt install python3)")
    }

    /// Skips where there is no browser.
    static var needsBrowser: Self {
      .enabled(
        if: ForeignProgram.browser != nil,
        "Chromium is not installed (on Debian: apt install chromium)")
    }
  }
#endif
