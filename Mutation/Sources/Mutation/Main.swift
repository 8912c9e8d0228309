import Foundation

@main
struct Main {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.contains("--help") || arguments.contains("-h") {
      print(Options.help)
      return
    }
    guard let options = Options(arguments) else {
      FileHandle.standardError.write(Data("\(Options.help)\n".utf8))
      exit(64)
    }
    do {
      try run(options)
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ options: Options) throws {
    let origin = URL(filePath: FileManager.default.currentDirectoryPath)
    let scratch = Scratch(
      origin: origin, folder: origin.appending(path: ".build").appending(path: "mutation"))
    let mutants = try Build(scratch: scratch, options: options).run()
    if options.isList {
      for mutant in mutants { print(mutant.name) }
      return
    }
    let suites = try Suites(
      scratch: scratch, mutants: mutants, isThorough: options.isThorough
    ).all()
    let campaign = Campaign(scratch: scratch, options: options, suites: suites)
    print(Table(results: try campaign.run(mutants)))
  }
}

/// Reports the progress: a run takes hours.
func say(_ text: String) {
  FileHandle.standardError.write(Data("\(text)\n".utf8))
}
