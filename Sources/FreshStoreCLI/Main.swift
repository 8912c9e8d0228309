#if CommandLine
  internal import ArgumentParser

  @main
  enum Main {
    static func main() async {
      Descriptor.occupyStandard()
      // What is not plain, or is wrong, is for the parser.
      if let get = try? PlainGet(CommandLine.arguments), let status = get.printFresh() {
        Process.exit(status)
      }
      if let problem = RawArguments.problem {
        Console.note(problem)
        Process.exit(.usage)
      }
      if BashCompletion.isRequested {
        Process.exit(BashCompletion.printScript())
      }
      await FreshStoreCommand.main()
    }
  }
#else
  @main
  enum Main {
    static func main() {
      print("freshstore was built without its command line; build it with the trait CommandLine")
    }
  }
#endif
