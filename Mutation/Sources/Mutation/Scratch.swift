import Foundation

/// The copy of the package that is mutated, and the files kept beside it from one run to the next.
struct Scratch {
  /// The package itself, which is only read.
  let origin: URL
  /// The folder of the copy and of everything else.
  let folder: URL

  var package: URL { folder.appending(path: "package") }
  var log: URL { folder.appending(path: "log") }
  /// The names of the mutants that do not compile.
  var refused: URL { folder.appending(path: "refused") }
  /// The mutants that each suite reached, and its duration.
  var suites: URL { folder.appending(path: "suites.json") }
  /// The outcome of every mutant.
  var results: URL { folder.appending(path: "results") }
  private static let copied = ["Documentation", "Examples", "Package.resolved", "Sources", "Tests"]

  /// Brings the copy up to date; the mutated files are written later.
  func update(mutating folders: [String]) throws {
    let files = FileManager.default
    try files.createDirectory(at: package, withIntermediateDirectories: true)
    for name in Self.copied {
      let source = origin.appending(path: name)
      let wanted = Set(try paths(of: source))
      for path in try paths(of: package.appending(path: name)) where !wanted.contains(path) {
        try files.removeItem(at: package.appending(path: name + path))
      }
      for path in wanted {
        let whole = name + path
        if folders.contains(where: { whole.hasPrefix("\($0)/") }), whole.hasSuffix(".swift") {
          continue
        }
        try write(Data(contentsOf: source.appending(path: path)), to: whole)
      }
    }
    try write(Data(try manifest().utf8), to: "Package.swift")
    try write(Data(Self.header.utf8), to: "Mutants/include/Mutants.h")
    try write(Data(Self.switches.utf8), to: "Mutants/Mutants.c")
  }

  /// Writes a file of the copy. An unchanged file is not written, so that it is not compiled again.
  func write(_ content: Data, to path: String) throws {
    let file = package.appending(path: path)
    // A file that cannot be read is written.
    if let old = try? Data(contentsOf: file), old == content { return }
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try content.write(to: file)
  }

  /// The files in a folder, each with a slash before it; a file is the empty path.
  func paths(of folder: URL) throws -> [String] {
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    guard try !isFile(folder) else { return [""] }
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { try isFile(folder.appending(path: $0)) }
      .sorted().map { "/" + $0 }
  }

  private func isFile(_ path: URL) throws -> Bool {
    try path.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
  }

  /// Without the targets for traits, all of which are off, and with the switches. Warnings do not
  /// concern a mutant, and an expression that takes for ever has one mutant too many.
  private func manifest() throws -> String {
    let manifest = try String(
      contentsOf: origin.appending(path: "Package.swift"), encoding: .utf8)
    return manifest.replacingOccurrences(
      of: "  .treatAllWarnings(as: .error),\n",
      with: """
          .unsafeFlags(["-suppress-warnings", "-Xfrontend", "-solver-expression-time-threshold=15"]),

        """) + """

        let others: Set = ["DemoOrigin", "FreshHTTPTests", "FreshStoreCLI", "FreshStoreCLITests"]
        package.products.removeAll { $0.name == "freshstore" }
        package.targets.removeAll { others.contains($0.name) }
        package.targets.append(.target(name: "Mutants", path: "Mutants"))
        for target in package.targets where ["Strategies", "Rules", "FreshStore"].contains(target.name) {
          target.dependencies.append("Mutants")
        }

        """
  }

  private static let header = """
    #ifndef MUTANTS_H
    #define MUTANTS_H

    #include <stdbool.h>

    /// Whether the mutant of this number is the one that is on.
    bool mutant(int number);

    #endif

    """

  // Reached mutants are noted in a shared mapping, which outlives a killed process.
  private static let switches = """
    #include "Mutants.h"

    #include <fcntl.h>
    #include <stdlib.h>
    #include <sys/mman.h>
    #include <sys/stat.h>
    #include <unistd.h>

    static int active = -1;
    static volatile unsigned char *reached;
    static long count;

    __attribute__((constructor)) static void start(void) {
      const char *number = getenv("FRESHSTORE_MUTANT");
      if (number) active = atoi(number);
      const char *path = getenv("FRESHSTORE_REACHED");
      if (!path) return;
      int file = open(path, O_RDWR | O_CLOEXEC);
      struct stat facts;
      if (file < 0) return;
      if (fstat(file, &facts) == 0 && facts.st_size > 0) {
        void *mapped = mmap(0, facts.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (mapped != MAP_FAILED) {
          count = facts.st_size;
          reached = mapped;
        }
      }
      close(file);
    }

    bool mutant(int number) {
      if (reached && number < count) reached[number] = 1;
      return number == active;
    }

    """
}
