internal import ArgumentParser

@main
enum Main {
  static func main() async {
    if let problem = RawArguments.problem {
      Console.note(problem)
      Process.exit(.usage)
    }
    await FreshStoreCommand.main()
  }
}
