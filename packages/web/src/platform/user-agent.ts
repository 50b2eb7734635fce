/** Operating system and browser of a user agent. */
export interface Agent {
  readonly os: string;
  readonly browser: string;
}

/** The first match wins, so browsers whose user agent contains the name of another one come first. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Parley\/([\d.]+)/, "Parley"],
  [/Edg(?:e|A|iOS)?\/(\d+)/, "Edge"],
  [/OPR\/(\d+)/, "Opera"],
  [/(?:Firefox|FxiOS)\/(\d+)/, "Firefox"],
  [/(?:Chrome|CriOS|Chromium)\/(\d+)/, "Chrome"],
  [/Version\/(\d+)[\d.]* .*Safari/, "Safari"],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Windows/, "Windows"],
  [/iPhone|iPad|iPod/, "iOS"],
  [/Android/, "Android"],
  [/CrOS/, "ChromeOS"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/Linux/, "Linux"],
];

/** Names of operating system and browser, for the device list of an account. */
export function readAgent(userAgent: string): Agent {
  const os = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? "Unknown";
  for (const [pattern, name] of BROWSERS) {
    const match = pattern.exec(userAgent);
    if (match !== null) return { os, browser: `${name} ${match[1]}` };
  }
  return { os, browser: "Unknown" };
}
