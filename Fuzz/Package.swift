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
// their module is compiled here once more, from the same files: its folder is a symbolic link. The
// laws have no counters, lest the fuzzer explore the laws.
let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v15)],
  targets: [
    .target(
      name: "Strategies",
      swiftSettings: strict + [.unsafeFlags(["-sanitize=fuzzer", "-enable-testing"])]),
    .target(name: "Laws", dependencies: ["Strategies"], swiftSettings: strict),
    .executableTarget(
      name: "Fuzz", dependencies: ["Laws"],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]),
  ]
)
