#if Fleet
  @testable import FreshFleet
  import FreshStore
  import Testing

  @Suite struct ErrorTests {
    @Test(arguments: [
      ("53100", SharedTierError.Code.full), ("53300", .unreachable), ("42501", .noRights),
      ("25006", .readOnly), ("42P01", .noSchema), ("3F000", .noSchema), ("42703", .foreignTables),
      ("57014", .slow), ("57P01", .unreachable), ("08006", .unreachable), ("28P01", .refused),
      ("3D000", .refused), ("22003", .other), ("", .other),
    ])
    func `a code of the database has its meaning`(_ state: String, _ code: SharedTierError.Code) {
      #expect(SharedTierError.code(ofState: state) == code)
    }

    @Test(arguments: [
      (
        "connection to server at \"h\" failed: Connection refused", SharedTierError.Code.unreachable
      ),
      ("connection to server on socket \"/x\" failed: No such file or directory", .unreachable),
      ("could not translate host name \"h\" to address: Name or service not known", .unreachable),
      ("FATAL:  password authentication failed for user \"u\"", .refused),
      ("fe_sendauth: no password supplied", .refused),
      ("FATAL:  database \"d\" does not exist", .refused),
      ("server does not support SSL, but SSL was required", .refused),
      ("root certificate file \"/x\" does not exist", .refused),
      ("definition of service \"x\" not found", .invalidAddress),
      ("session is read-only", .readOnly), ("invalid port number: \"x\"", .invalidAddress),
      ("FATAL:  the database system is starting up", .unreachable), ("", .unreachable),
    ])
    func `the words of a failed connection have their meaning`(
      _ message: String, _ code: SharedTierError.Code
    ) {
      #expect(SharedTierError.code(ofConnectionMessage: message) == code)
    }

    @Test(arguments: [
      (
        "connection refused\n\tIs the server running?\n",
        "connection refused; Is the server running?"
      ),
      ("one\r\n\r\ntwo\t three", "one; two three"), ("", ""),
    ])
    func `a message of the library is put on one line`(_ message: String, _ line: String) {
      #expect(message.onOneLine == line)
    }

    @Test(arguments: [
      (SharedMark.Scope.tag([UInt8](repeating: 1, count: 1025)), "a tag has at most 1024 bytes"),
      (.key(SharedKey("c", String(repeating: "k", count: 1025))), "a key has at most 1024 bytes"),
      (.collection([UInt8](repeating: 1, count: 256)), "a collection has at most 255 bytes"),
      (.prefix([UInt8](repeating: 1, count: 1025), in: []), "a prefix has at most 1024 bytes"),
    ])
    func `what is too long for a fleet is named`(_ scope: SharedMark.Scope, _ words: String) {
      let error = #expect(throws: SharedTierError.self) { try scope.check() }
      #expect(error?.code == .invalidArgument)
      #expect(error?.message.contains(words) == true)
    }

    @Test func `a description has the database's code and nothing else`() {
      #expect(
        SharedTierError(.full, "the disk is full", state: "53100").description
          == "the disk is full (53100)")
      #expect(SharedTierError(.slow, "late").description == "late")
    }
  }
#endif
