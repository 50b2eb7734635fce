import type { Configuration } from "electron-builder";

const DESCRIPTION = "An instant messenger that you host yourself";

/**
 * Turns the folder `out` (tools/lib/desktop-build.ts) into packages for Windows, macOS and Linux. Paths begin in this folder, those of `files` in
 * `out`; `package-desktop.ts` adds where that is.
 */
export const configuration = {
  appId: "org.parley.desktop",
  productName: "Parley",
  copyright: "Copyright © The Parley contributors",
  directories: { output: "../dist", buildResources: "." },
  // Everything is bundled. False tells electron-builder not to look for dependencies, which it would find in the root of the repository.
  beforeBuild: () => Promise.resolve(false),
  files: ["package.json", "main/**", "preload/**", "web/**"],
  asar: true,
  artifactName: "${productName}-${version}-${os}-${arch}.${ext}",
  publish: null,
  // A Debian package must name an address and a person to ask. Distributors enter their own.
  extraMetadata: { author: "The Parley contributors", homepage: "https://parley.invalid" },
  electronLanguages: ["en-US", "zh-CN", "zh-TW"],
  protocols: [{ name: "Parley", schemes: ["parley"] }],
  // What the binary may never do, whatever flags or variables it is started with.
  electronFuses: {
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
    // Setting fuses breaks the signature without a name that Electron's binary has, and Apple's processors run nothing unsigned. Only macOS
    // can renew it.
    resetAdHocDarwinSignature: process.platform === "darwin",
  },
  win: {
    target: "nsis",
  },
  nsis: {
    oneClick: false,
    perMachine: false,
    allowToChangeInstallationDirectory: true,
    installerLanguages: ["en_US", "zh_CN", "zh_TW"],
    deleteAppDataOnUninstall: false,
    // `protocols` registers links on the other systems only.
    include: "windows/links.nsh",
  },
  mac: {
    target: ["dmg", "zip"],
    category: "public.app-category.social-networking",
    hardenedRuntime: true,
    entitlements: "mac/entitlements.plist",
    entitlementsInherit: "mac/entitlements.plist",
    // A package that is signed is notarized too, with an account of the person who signs.
    notarize: false,
    extendInfo: {
      NSMicrophoneUsageDescription: "Parley uses the microphone for calls and voice messages.",
      NSCameraUsageDescription: "Parley uses the camera for video calls.",
      NSScreenCaptureUsageDescription:
        "Parley shows your screen in a call, or takes a screenshot, when you ask for it.",
      NSAudioCaptureUsageDescription: "Parley sends the sound of your screen in a call when you ask for it.",
      NSLocalNetworkUsageDescription: "Parley connects to your server, which may be in your own network.",
    },
    // The same sentences in other languages.
    extraResources: [{ from: "mac/texts", to: ".", filter: ["*.lproj/**"] }],
  },
  linux: {
    target: ["AppImage", "deb"],
    category: "Network;InstantMessaging;",
    synopsis: DESCRIPTION,
    // The name of the .desktop file is the one by which the desktop finds the windows of the application.
    syncDesktopName: true,
    maintainer: "Parley <parley@localhost>",
  },
} satisfies Configuration;
