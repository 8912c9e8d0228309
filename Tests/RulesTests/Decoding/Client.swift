import Rules

struct Client: Codable, Equatable, Sendable {
  @Must<Filled> var name = "Ada"
}
