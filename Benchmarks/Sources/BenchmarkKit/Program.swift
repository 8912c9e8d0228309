internal import Foundation

/// The common part of the programs of all subjects.
public enum Program {
  /// Runs a subject with the options of the command line; an error is reported, and ends the
  /// program with 1.
  public static func run(_ body: (Options) async throws -> Void) async {
    do {
      try await body(Options(Array(CommandLine.arguments.dropFirst())))
    } catch {
      complain("\(error)")
      exit(1)
    }
  }

  /// Ends the program with 64: there is no such part.
  public static func refuse(_ part: [String]) -> Never {
    complain("there is no part \(part.joined(separator: " "))")
    exit(64)
  }

  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }
}
