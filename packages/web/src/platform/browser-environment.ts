import type { Environment } from "@parley/core/ports";
import { readAgent } from "./user-agent.ts";

const EVENTS = ["online", "offline", "focus", "blur"] as const;

/** The environment of the page. `language` returns the tag of the current language, which this folder does not know. */
export function browserEnvironment(appVersion: string, language: () => string): Environment {
  const { os, browser: browserName } = readAgent(navigator.userAgent);
  const browser = window.parleyDesktop === undefined ? browserName : "Parley desktop";
  return {
    origin: location.origin,
    os,
    browser,
    deviceVersion: browser,
    appVersion,
    language,
    hasNetwork: () => navigator.onLine,
    hasAttention: () => document.visibilityState === "visible" && document.hasFocus(),
    onChange(listener) {
      for (const event of EVENTS) addEventListener(event, listener);
      document.addEventListener("visibilitychange", listener);
      return () => {
        for (const event of EVENTS) removeEventListener(event, listener);
        document.removeEventListener("visibilitychange", listener);
      };
    },
  };
}
