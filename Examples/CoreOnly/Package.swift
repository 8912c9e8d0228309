// swift-tools-version: 6.2

import PackageDescription

// A program that uses the store alone: with no traits, neither SwiftNIO nor the argument parser is
// resolved, fetched or built.
let package = Package(
  name: "CoreOnly",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "FreshStore", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "CoreOnly",
      dependencies: [
        .product(name: "FreshStore", package: "FreshStore"),
        .product(name: "Rules", package: "FreshStore"),
        .product(name: "Strategies", package: "FreshStore"),
      ])
  ]
)
