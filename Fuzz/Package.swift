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

// The parsers are internal, and the fuzzer is blind to what is compiled without its counters. So
// their modules are compiled here once more, from the same files: their folders are symbolic links.
// The laws have no counters, lest the fuzzer explore the laws.
let counted: [SwiftSetting] = strict + [.unsafeFlags(["-sanitize=fuzzer", "-enable-testing"])]

let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v15)],
  targets: [
    .target(name: "Rules", swiftSettings: counted),
    .target(name: "Strategies", swiftSettings: counted),
    .target(name: "Laws", dependencies: ["Rules", "Strategies"], swiftSettings: strict),
    .executableTarget(
      name: "Fuzz", dependencies: ["Laws"],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]),
  ]
)
