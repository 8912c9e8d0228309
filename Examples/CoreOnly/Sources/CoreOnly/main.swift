import FreshStore
import Rules
import Strategies

struct Article: Codable {
  var title: String
}

let path = CommandLine.arguments.dropFirst().first ?? "articles.db"
let store = try Store(path: path)
let articles = try store.collection("articles", of: Article.self, policy: .offlineFirst)
let answer = try await articles.get("42") { previous in
  .value(Article(title: "Freshness"), FetchDetails(expiry: .after(.seconds(300))))
}
print(answer.value.title, answer.freshness.rawValue)
try await store.close()
