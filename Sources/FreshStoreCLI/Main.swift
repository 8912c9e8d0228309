#if CommandLine
  internal import ArgumentParser

  @main
  enum Main {
    static func main() async {
      Descriptor.occupyStandard()
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
