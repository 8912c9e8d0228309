// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

// The parsers are internal, and the fuzzer is blind to code compiled without its counters. So their
// modules are compiled here once more, from the same files: their folders are symbolic links, and
// of the command, which needs other packages, only the files that read and write texts are taken.
// No trait is on, so no other package is needed; of the gateway all is taken that decides, and the decoder
// of requests, for which a stand-in for SwiftNIO's buffer is enough. The laws have no counters, so that the fuzzer does
// not explore them.
let counted: [SwiftSetting] = strict + [.unsafeFlags(["-sanitize=fuzzer", "-enable-testing"])]
// The work that clients and origins can cause in a gateway is measured: these settings also count
// how often each region of the code runs.
let measured: [SwiftSetting] = counted + [.unsafeFlags(["-profile-generate"])]

let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v15)],
  targets: [
    .target(name: "Rules", swiftSettings: counted),
    .target(name: "Platform", swiftSettings: counted),
    .target(name: "Strategies", swiftSettings: counted),
    .target(
      name: "Reachability", dependencies: ["Platform", "Strategies"], swiftSettings: counted),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(
      name: "FreshStore",
      dependencies: ["CSQLite", "Platform", "Reachability", "Rules", "Strategies"],
      swiftSettings: counted),
    .target(
      name: "FreshStoreTools",
      dependencies: ["CSQLite", "FreshStore", "Platform", "Rules", "Strategies"],
      swiftSettings: counted),
    .target(
      name: "FreshHTTP",
      dependencies: ["FreshStore", "NIOCore", "Platform", "Reachability", "Rules", "Strategies"],
      swiftSettings: measured + [.define("Fuzzing")]),
    .target(name: "NIOCore", swiftSettings: strict),
    .target(
      name: "FreshGateway", dependencies: ["FreshHTTP", "NIOCore", "Strategies"],
      exclude: ["Asking", "Keeping", "Operating", "Serving", "Wire/AnswerHead.swift"],
      swiftSettings: measured + [.define("Gateway")]),
    .target(name: "ArgumentParser", swiftSettings: strict),
    .target(
      name: "Command", dependencies: ["ArgumentParser", "Strategies"],
      swiftSettings: counted + [.define("CommandLine")]),
    .target(
      name: "Laws",
      dependencies: [
        "ArgumentParser", "Command", "FreshGateway", "FreshHTTP", "FreshStore", "FreshStoreTools",
        "NIOCore", "Platform", "Reachability", "Rules", "Strategies",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "Fuzz", dependencies: ["Laws"],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-profile-generate"])]),
  ]
)
