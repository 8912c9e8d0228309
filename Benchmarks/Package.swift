// swift-tools-version: 6.2

import PackageDescription

// As strict as the package that is measured.
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

// One executable for each subject, named after it; what they share is in BenchmarkKit.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "FreshStore", path: "..", traits: [])],
  targets: [
    .target(name: "BenchmarkKit", swiftSettings: strict),
    .executableTarget(
      name: "reachability",
      dependencies: ["BenchmarkKit", .product(name: "Strategies", package: "FreshStore")],
      path: "Sources/Reachability", swiftSettings: strict),
  ]
)
