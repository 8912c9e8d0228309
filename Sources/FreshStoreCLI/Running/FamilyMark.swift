#if CommandLine
  internal import Platform

  /// A variable of the environment by which a program and all that it starts are known: they hand it on,
  /// also where they outlive the one that started them.
  struct FamilyMark: Sendable {
    /// As it stands in an environment.
    let bytes: [UInt8]

    private static let mostBytes = 1 << 20

    init() {
      bytes = Array("FRESHSTORE_RUN=\(getpid()).\(UInt64.random(in: 0 ... .max))".utf8)
    }

    /// The processes that have it and can be looked at (proc(5)); none where there is no `/proc`.
    var members: [pid_t] { Descriptor.numbers(in: "/proc").filter(has) }

    private func has(_ process: pid_t) -> Bool {
      do throws(Descriptor.Failure) {
        let environment = try Descriptor.read(
          path: "/proc/\(process)/environ", limit: Self.mostBytes)
        return environment.split(separator: 0).contains { $0.elementsEqual(bytes) }
      } catch {
        // It has ended, or is another user's.
        return false
      }
    }
  }
#endif
