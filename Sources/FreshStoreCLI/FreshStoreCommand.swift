internal import ArgumentParser

@main
struct FreshStoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "freshstore")
}
