import Foundation

/// The one build that holds all mutants.
struct Build {
  let scratch: Scratch
  let options: Options
  private static let traits = ["--disable-default-traits"]

  /// Builds the copy, again and again without the mutants that the compiler refuses. Returns the
  /// accepted ones.
  func run() throws -> [Mutant] {
    if !options.skipsBuild { try scratch.update(mutating: options.folders) }
    var files = try mutatedFiles()
    // The first run has none.
    let names = (try? String(contentsOf: scratch.refused, encoding: .utf8)) ?? ""
    var refused = Set(names.split(separator: "\n").map(String.init))
    if options.skipsBuild {
      return files.values.flatMap(\.mutants).filter { !refused.contains($0.name) }
        .sorted { $0.number < $1.number }
    }
    for targets in [["--target", "FreshStore"], ["--build-tests"]] {
      while true {
        for (path, file) in files {
          files[path]?.mutants = file.mutants.filter { !refused.contains($0.name) }
        }
        for (path, file) in files { try write(file, path) }
        let count = files.values.reduce(0) { $0 + $1.mutants.count }
        say("building with \(count) mutants, \(refused.count) refused before")
        let dropped = try build(targets, files)
        if dropped.isEmpty { break }
        refused.formUnion(dropped)
        try Data(refused.sorted().joined(separator: "\n").utf8).write(to: scratch.refused)
      }
    }
    return files.values.flatMap(\.mutants).sorted { $0.number < $1.number }
  }

  /// The names of the mutants that break a build.
  private func build(_ targets: [String], _ files: [String: MutatedFile]) throws -> Set<String> {
    let command = Command(
      arguments: ["swift", "build"] + Self.traits + targets, folder: scratch.package, limit: 3600,
      log: scratch.log)
    if try command.run() == 0 { return [] }
    let errors = CompilerError.errors(in: command.output, package: scratch.package.path)
    var dropped: Set<String> = []
    for error in errors {
      guard let file = files[error.file] else { continue }
      let numbers = file.refused(by: error)
      dropped.formUnion(file.mutants.filter { numbers.contains($0.number) }.map(\.name))
    }
    guard !dropped.isEmpty else {
      throw MutationError(description: "the copy does not build: see \(scratch.log.path)")
    }
    return dropped
  }

  private func mutatedFiles() throws -> [String: MutatedFile] {
    var files: [String: MutatedFile] = [:]
    for folder in options.folders {
      let paths = try scratch.paths(of: scratch.origin.appending(path: folder))
      for path in paths where path.hasSuffix(".swift") {
        let source = try String(
          contentsOf: scratch.origin.appending(path: folder + path), encoding: .utf8)
        files[folder + path] = MutatedFile(
          source: source, mutants: MutantFinder.mutants(in: source, file: folder + path))
      }
    }
    // A number stays with its mutant whatever is refused later: another one would have all compiled
    // again.
    var next = 1
    for path in files.keys.sorted() {
      for index in files[path]?.mutants.indices ?? 0..<0 {
        files[path]?.mutants[index].number = next
        next += 1
      }
    }
    guard !files.isEmpty else { throw MutationError(description: "no sources in these folders") }
    return files
  }

  private func write(_ file: MutatedFile, _ path: String) throws {
    try scratch.write(Data(file.rendered().text.utf8), to: path)
  }
}
