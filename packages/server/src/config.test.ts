import { describe, expect, test } from "vitest";
import { ConfigError, VARIABLES, loadConfig } from "./config.ts";

describe("loadConfig", () => {
  test("nothing set gives the defaults", () => {
    expect(loadConfig({})).toEqual({
      PORT: 8_080,
      HOST: "0.0.0.0",
      DATA_DIR: "./data",
      CORS_ORIGINS: [],
      TRUST_PROXY: 0,
      OPEN_REGISTRATION: true,
      INVITE_CODE_REQUIRED: false,
      AVATAR_REQUIRED: false,
      RATE_LIMITS: true,
      MONEY_CARDS: false,
      RECALL_SECONDS: 300,
      EDIT_SECONDS: 3_600,
      UPLOAD_MAX_MB: 100,
      UPLOAD_DAILY_MB: 2_048,
      PASSWORD_COST: "normal",
      MAX_CALL_CHANNELS: 9,
      DEFAULT_LANGUAGE: "zh-CN",
      LOG_LEVEL: "info",
    });
  });

  test("an empty variable counts as absent, blanks around a value do not count", () => {
    expect(loadConfig({ PORT: "", PUBLIC_URL: " " })).toEqual(loadConfig({}));
    expect(loadConfig({ PORT: " 81 " }).PORT).toBe(81);
  });

  test("lists and switches", () => {
    const config = loadConfig({
      CORS_ORIGINS: "https://a.example, http://localhost:5173",
      TRUST_PROXY: "on",
      RATE_LIMITS: "off",
    });
    expect(config.CORS_ORIGINS).toEqual(["https://a.example", "http://localhost:5173"]);
    expect([config.TRUST_PROXY, config.RATE_LIMITS]).toEqual([1, false]);
    expect(loadConfig({ TRUST_PROXY: "2" }).TRUST_PROXY).toBe(2);
  });

  test.each([
    [{ PORT: "eighty" }, "PORT must be a whole number from 0 to 65535."],
    [{ PORT: "65536" }, "PORT must be a whole number from 0 to 65535."],
    [
      { PUBLIC_URL: "chat.example.org" },
      "PUBLIC_URL must be an origin such as https://chat.example.org, without a path.",
    ],
    [
      { PUBLIC_URL: "https://chat.example.org/" },
      "PUBLIC_URL must be an origin such as https://chat.example.org, without a path.",
    ],
    [
      { CORS_ORIGINS: "https://a.example,*" },
      "CORS_ORIGINS each must be an origin such as https://chat.example.org, without a path.",
    ],
    [{ TRUST_PROXY: "yes" }, "TRUST_PROXY must be on, off or the number of proxies, at most 5."],
    [{ SECRET: "short" }, "SECRET must have at least 32 characters."],
    [{ PASSWORD_COST: "none" }, "PASSWORD_COST must be normal or low."],
    [{ DEFAULT_LANGUAGE: "de" }, "DEFAULT_LANGUAGE must be one of zh-CN, zh-TW, en."],
    [{ LOG_LEVEL: "loud" }, "LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent."],
    [{ TLS_CERT: "cert.pem" }, "TLS_CERT and TLS_KEY must be set together."],
  ])("%j is one sentence that names the variable", (env, sentence) => {
    expect(() => loadConfig(env)).toThrow(new ConfigError(sentence));
  });

  test("every variable has a default and a meaning on one line", () => {
    expect(VARIABLES.length).toBe(22);
    for (const { name, default: value, meaning } of VARIABLES) {
      expect(name).toMatch(/^[A-Z_]+$/);
      expect(value).not.toContain("\n");
      expect(meaning).toMatch(/^.{10,}$/);
    }
  });
});
