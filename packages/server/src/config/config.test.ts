import { describe, expect, test } from "vitest";
import { ConfigError, VARIABLES, loadConfig } from "./config.ts";
import { DEFAULT_RATE_LIMITS } from "../adapters/rate-limiter/rate-limits.ts";

describe("loadConfig", () => {
  test("without variables the configuration has the defaults", () => {
    expect(loadConfig({})).toEqual({
      PORT: 8_080,
      HOST: "0.0.0.0",
      DATA_DIR: "./data",
      CORS_ORIGINS: [],
      TRUST_PROXY: 0,
      NEW_DATABASE: false,
      OPEN_REGISTRATION: true,
      INVITE_CODE_REQUIRED: false,
      AVATAR_REQUIRED: false,
      RATE_LIMITS: DEFAULT_RATE_LIMITS,
      MONEY_CARDS: false,
      NEW_GROUP_JOIN: 2,
      RECALL_SECONDS: 300,
      EDIT_SECONDS: 3_600,
      TEXT_MAX: 4_000,
      UPLOAD_MAX_MB: 100,
      UPLOAD_DAILY_MB: 2_048,
      WEB_PUSH: "on",
      S3_REGION: "us-east-1",
      PASSWORD_COST: "normal",
      ICE_URLS: [],
      MAX_CALL_CHANNELS: 9,
      ROLES: ["api", "gateway", "jobs"],
      OFFLINE_APP: true,
      DEFAULT_LANGUAGE: "zh-CN",
      LOG_LEVEL: "info",
    });
  });

  test("an empty variable counts as absent, and blanks around a value are ignored", () => {
    expect(loadConfig({ PORT: "", PUBLIC_URL: " " })).toEqual(loadConfig({}));
    expect(loadConfig({ PORT: " 81 " }).PORT).toBe(81);
  });

  test("lists are split at commas, and switches become booleans or numbers", () => {
    const config = loadConfig({
      CORS_ORIGINS: "https://a.example, http://localhost:5173",
      TRUST_PROXY: "on",
      RATE_LIMITS: "off",
    });
    expect(config.CORS_ORIGINS).toEqual(["https://a.example", "http://localhost:5173"]);
    expect([config.TRUST_PROXY, config.RATE_LIMITS]).toEqual([1, false]);
    expect(loadConfig({ TRUST_PROXY: "2" }).TRUST_PROXY).toBe(2);
  });

  test("RATE_LIMITS overrides the named rates and keeps the default of the others", () => {
    const rates = (value: string) => loadConfig({ RATE_LIMITS: value }).RATE_LIMITS;
    expect(rates("on")).toEqual(DEFAULT_RATE_LIMITS);
    expect(rates("sends=50/s:200,logins=10/10m,registrations=200/h,uploads=60/m")).toEqual(
      DEFAULT_RATE_LIMITS,
    );
    expect(rates("sends=5/s, uploads=3/2d")).toEqual({
      ...DEFAULT_RATE_LIMITS,
      sends: { times: 5, seconds: 1, atOnce: 5 },
      uploads: { times: 3, seconds: 172_800 },
    });
  });

  test.each([
    "yes",
    "sends",
    "sends=fast",
    "sends=0/s",
    "sends=-1/s",
    "sends=1.5/s",
    "sends=50",
    "sends=50/w",
    "sends=50/s:0",
    "logins=10/10m:5",
    "logins=10/8d",
    "sends=1/s,sends=2/s",
    "sends=1/s,,logins=1/m",
    "nothing=1/s",
  ])("RATE_LIMITS=%s is rejected with one sentence that names the variable", (value) => {
    expect(() => loadConfig({ RATE_LIMITS: value })).toThrow(
      new ConfigError(
        "RATE_LIMITS must be on, off or rates such as sends=50/s:200,logins=10/10m,registrations=200/h,uploads=60/m.",
      ),
    );
  });

  test.each([
    [{ PORT: "eighty" }, "PORT must be a whole number from 0 to 65535."],
    [{ ROLES: "api,worker" }, "ROLES must be some of api, gateway, jobs, joined by commas."],
    [{ ROLES: "," }, "ROLES must be some of api, gateway, jobs, joined by commas."],
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
    [
      { REDIS_URL: "http://host" },
      "REDIS_URL must be a URL such as redis://:password@host:6379 or rediss://host.",
    ],
    [
      { REDIS_URL: "redis://host/name" },
      "REDIS_URL must be a URL such as redis://:password@host:6379 or rediss://host.",
    ],
    [
      { REDIS_URL: "redis://host" },
      "REDIS_URL needs DATABASE_URL, because a SQLite database belongs to one server.",
    ],
    [
      { DATABASE_URL: "mysql://host/parley" },
      "DATABASE_URL must be a URL such as postgres://user:password@host:5432/parley.",
    ],
    [{ SECRET: "short" }, "SECRET must have at least 32 characters."],
    [{ PASSWORD_COST: "none" }, "PASSWORD_COST must be normal or low."],
    [{ DEFAULT_LANGUAGE: "de" }, "DEFAULT_LANGUAGE must be one of zh-CN, zh-TW, en."],
    [{ WEB_PUSH: "maybe" }, "WEB_PUSH must be on, off or private."],
    [{ VAPID_SUBJECT: "ops" }, "VAPID_SUBJECT must be an e-mail address or an https URL."],
    [{ LOG_LEVEL: "loud" }, "LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent."],
    [
      { S3_ENDPOINT: "https://name:word@s3.example.org" },
      "S3_ENDPOINT must be a URL such as https://s3.example.org, without a name and password.",
    ],
    [{ S3_BUCKET: "a/b" }, "S3_BUCKET must be 3 to 63 small letters, digits, dots and hyphens."],
    [{ S3_REGION: "a b" }, "S3_REGION must be a word such as eu-central-1."],
    [
      { S3_ENDPOINT: "https://s3.example.org", S3_BUCKET: "files", S3_ACCESS_KEY_ID: "name" },
      "S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together.",
    ],
    [{ NODE_NAME: "a b" }, "NODE_NAME must be up to 64 letters, digits, dots, hyphens and underscores."],
    [{ METRICS_PORT: "no" }, "METRICS_PORT must be a whole number from 0 to 65535."],
    [{ METRICS_TOKEN: "short" }, "METRICS_TOKEN must be at least 16 characters of ASCII."],
    [{ TLS_CERT: "cert.pem" }, "TLS_CERT and TLS_KEY must be set together."],
  ])("%j is rejected with one sentence that names the variable", (env, sentence) => {
    expect(() => loadConfig(env)).toThrow(new ConfigError(sentence));
  });

  test("the contact for push services is an e-mail address or a page", () => {
    const subjectOf = (text: string) => loadConfig({ VAPID_SUBJECT: text }).VAPID_SUBJECT;
    expect(subjectOf("ops@example.org")).toBe("mailto:ops@example.org");
    expect(subjectOf("mailto:ops@example.org")).toBe("mailto:ops@example.org");
    expect(subjectOf("https://example.org/contact")).toBe("https://example.org/contact");
  });

  test("every variable has a default and a meaning on one line", () => {
    expect(VARIABLES.length).toBe(43);
    for (const { name, default: value, meaning } of VARIABLES) {
      expect(name).toMatch(/^[A-Z][A-Z0-9_]+$/);
      expect(value).not.toContain("\n");
      expect(meaning).toMatch(/^.{10,}$/);
    }
  });
});
