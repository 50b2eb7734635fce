/**
 * REQUESTS: signed-in people send mutated requests to every endpoint. Each answer must be an envelope with a listed error and its status,
 * or with data that matches the schema, but never an internal error. Meanwhile other people write to each other and must not miss
 * anything. No answer and no log line may contain a text that two strangers have written.
 */
import { createPrng } from "@parley/core/testing/prng";
import type { Endpoint } from "@parley/protocol/endpoint";
import { ENDPOINTS, type EndpointName } from "@parley/protocol/endpoints/all";
import { type Envelope, isEnvelope } from "@parley/protocol/envelope";
import { ERRORS } from "@parley/protocol/errors";
import { INSPECTOR_ENV } from "../process-inspector.ts";
import { flawsOfLog } from "@parley/server/testing/log-scan";
import { SENTINEL } from "@parley/core/testing/edge-case-values";
import { PASSWORD, type TestPerson } from "@parley/server/testing/test-person";
import { type SpawnOptions, startServer } from "@parley/server/testing/server-process";
import { Sentinels } from "./sentinels.ts";
import { type RawResponse, sendRawRequest } from "./raw-http.ts";
import type { Report } from "./report.ts";
import { type GeneratedRequest, RequestMutator } from "./request-mutations.ts";
import { type Scenario, createScenario, peopleOf } from "./scenario.ts";
import { failIfServerDies, growthUnder, usageAtRest, secretsOf } from "./server-watch.ts";

/** How many requests. */
export interface RequestFuzzOptions {
  dataDir: string;
  seed: number;
  requests: number;
  /** A planted fault: the two strangers send requests as well. */
  isStrangerSending?: boolean;
  /** Ends each connection for sending, so that the server does not wait for the rest of a body until its time limit. */
  isEndOfSending?: boolean;
  /** For planted faults: another script that starts the server, and its environment. */
  spawn?: SpawnOptions;
  env?: Record<string, string>;
}

/** The text of the two strangers. */
const SECRET_TEXT = "sealed-77c0";
const WORKERS = 16;
/** Native memory of uploads and pictures settles only after thousands of requests. */
const WARM_UP = 0.4;
/** After this many requests new people send them: earlier ones may have left groups, logged out or closed their accounts. */
const SCENARIO_EVERY = 400;
const SENTINEL_EVERY = 100;
const CUT_PROBABILITY = 0.01;
const REQUEST_SEEDS = 10_000_019;
/** Calls that end a session, or may. */
const LAST_CALLS: ReadonlySet<string> = new Set([
  "logout",
  "unregister",
  "modifyPwd",
  "endSession",
  "refreshToken",
] satisfies EndpointName[]);
const VIOLATIONS_MAX = 20;
const REPORTED_CHARACTERS_MAX = 1_200;
/** The statuses of requests that are not valid HTTP, have no endpoint, or are too long. */
const OTHER_STATUSES: ReadonlySet<number> = new Set([400, 404, 405, 408, 413, 415, 431]);

/** Runs the battery. */
export async function runRequestFuzz(options: RequestFuzzOptions): Promise<Report> {
  const { dataDir, seed, requests, isStrangerSending = false, isEndOfSending = false, spawn, env } = options;
  const server = await startServer(
    { DATA_DIR: dataDir, RATE_LIMITS: "off", LOG_LEVEL: "trace", ...INSPECTOR_ENV, ...env },
    spawn,
  );
  const fuzzer = new RequestFuzzer(server.url, seed, isEndOfSending);
  try {
    const strangers = await createScenario(server.url, "S");
    await storeSecrets(strangers);
    const sentinels = await Sentinels.create(server.url);
    fuzzer.meanwhile = () => sentinels.exchange();
    if (isStrangerSending) fuzzer.others.push(strangers);

    await failIfServerDies(server, fuzzer.run(Math.ceil(requests * WARM_UP)));
    const {
      before,
      after,
      violations: grown,
    } = await growthUnder(
      () => failIfServerDies(server, fuzzer.run(requests)),
      () => usageAtRest(server, sentinels),
    );

    fuzzer.violations.push(...grown, ...(await sentinels.finish()));
    server.kill("SIGTERM");
    const code = await server.exited;
    if (code !== 0) fuzzer.violations.push(`the server ended with ${code}`);
    const people = [...sentinels.people, ...peopleOf(strangers), ...fuzzer.people];
    const secrets = [SENTINEL, SECRET_TEXT, PASSWORD, "$argon2", ...people.flatMap(secretsOf)];
    fuzzer.violations.push(...flawsOfLog(server.output(), secrets).slice(0, VIOLATIONS_MAX));
    const mb = (bytes: number) => (bytes / 1_048_576).toFixed(1);
    const counts = [...fuzzer.codes]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status}: ${count}`);
    return {
      name: "REQUESTS mutated requests",
      done:
        `${fuzzer.sent} requests to ${Object.keys(ENDPOINTS).length} endpoints (seed ${seed}), by envelope code ${counts.join(", ")}; ` +
        `${sentinels.sentCount} messages of other people; heap ${mb(before.heap)} to ${mb(after.heap)} MiB, ` +
        `RSS ${mb(before.rss)} to ${mb(after.rss)} MiB, ${before.files} to ${after.files} files; ` +
        `${server.output().split("\n").length} lines of log without ${secrets.length} secrets`,
      violations: fuzzer.violations,
    };
  } catch (error) {
    const violations = [
      ...fuzzer.violations,
      `${String(error)}; the server printed ${server.output().slice(-2_000)}`,
    ];
    return {
      name: "REQUESTS mutated requests",
      done: `aborted after ${fuzzer.sent} (seed ${seed})`,
      violations,
    };
  } finally {
    server.kill("SIGKILL");
    await server.exited;
  }
}

/** Stores the secret text in every place that only some people may see. */
async function storeSecrets({ ann, bob, groupId }: Scenario): Promise<void> {
  await ann.ok("sendPrivateMessage", { body: { recvId: bob.id, type: 0, content: SECRET_TEXT } });
  await ann.ok("sendGroupMessage", { body: { groupId, type: 0, content: `${SECRET_TEXT} to the group` } });
  await ann.ok("modifyGroup", {
    body: {
      id: groupId,
      notice: SECRET_TEXT,
      remarkGroupName: SECRET_TEXT,
      attributes: { key: SECRET_TEXT },
    },
  });
  await ann.ok("setGroupSettings", { body: { groupId, joinApproval: true } });
  await ann.ok("updateFriendRemark", { body: { friendId: bob.id, remarkNickName: SECRET_TEXT } });
  await ann.ok("updateUser", { body: { id: ann.id, email: `${SECRET_TEXT}@example.org` } });
}

interface RequestSender {
  scenario: Scenario;
  person: TestPerson;
}

class RequestFuzzer {
  sent = 0;
  /** The number of answers by the code of their envelope; 0 without an envelope. */
  readonly codes = new Map<number, number>();
  readonly violations: string[] = [];
  readonly people: TestPerson[] = [];
  readonly others: Scenario[] = [];
  meanwhile: () => Promise<void> = () => Promise.resolve();
  readonly #url: string;
  readonly #port: number;
  readonly #seed: number;
  readonly #isEndOfSending: boolean;
  #scenarios: Promise<Scenario>[] = [];

  constructor(url: string, seed: number, isEndOfSending: boolean) {
    this.#url = url;
    this.#port = Number(new URL(url).port);
    this.#seed = seed;
    this.#isEndOfSending = isEndOfSending;
  }

  async run(requests: number): Promise<void> {
    const end = this.sent + requests;
    const endpoints = Object.entries<Endpoint>(ENDPOINTS);
    const work = async () => {
      while (this.sent < end && this.violations.length < VIOLATIONS_MAX) {
        const number = this.sent++;
        const [name, endpoint] = endpoints[number % endpoints.length] ?? [];
        if (name === undefined || endpoint === undefined) return;
        if (number % SENTINEL_EVERY === 0) await this.meanwhile();
        await this.#send(number, name, endpoint);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
  }

  /** The people who send this request. */
  async #scenarioOf(number: number): Promise<Scenario> {
    const index = Math.floor(number / SCENARIO_EVERY);
    this.#scenarios[index] ??= createScenario(this.#url, `R${index}R`).then(async (scenario) => {
      this.people.push(...peopleOf(scenario));
      // Create some requests, so that they exist from the start.
      await scenario.dan.call("applyGroup", { body: { groupId: scenario.groupId, remark: SENTINEL } });
      await scenario.dan.call("applyFriend", { body: { friendId: scenario.ann.id, remark: SENTINEL } });
      return scenario;
    });
    return this.#scenarios[index];
  }

  async #send(number: number, name: string, endpoint: Endpoint): Promise<void> {
    const random = createPrng(this.#seed * REQUEST_SEEDS + number);
    const scenario = await this.#scenarioOf(number);
    const { ann, bob, cat, dan } = random.pick([scenario, ...this.others]);
    // Only dan makes the calls that may end his session, so that the others stay signed in.
    const person = LAST_CALLS.has(name) ? scenario.dan : random.pick([ann, ann, bob, bob, cat, cat, dan]);
    const sender: RequestSender = { scenario, person };
    const generated = new RequestMutator(random, knownValuesOf(sender, this.others)).make(endpoint);
    const isCut = random.isTrueWithProbability(CUT_PROBABILITY);
    const whole = bytesOf(generated);
    const bytes = isCut ? whole.subarray(0, random.below(whole.length)) : whole;
    const answer = await sendRawRequest(this.#port, bytes, isCut || this.#isEndOfSending);
    const flaw = flawOf(answer, endpoint, generated, isCut) ?? this.#count(answer);
    if (flaw === undefined) return;
    const violation = `request ${number}, ${name}: ${flaw} in ${answer.status} ${answer.body.slice(0, 400)} to ${bytes.toString("latin1")}`;
    this.violations.push(violation.slice(0, REPORTED_CHARACTERS_MAX));
  }

  #count({ body, status }: RawResponse): string | undefined {
    const code = status === 0 || status === 417 || body === "" ? 0 : (JSON.parse(body) as Envelope).code;
    this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
    return body.includes(SECRET_TEXT) ? "contains a text of two strangers" : undefined;
  }
}

function knownValuesOf({ scenario, person }: RequestSender, others: readonly Scenario[]) {
  const all = [scenario, ...others];
  const ids = all.flatMap((one) => [...Object.values(one.private), ...Object.values(one.group)]);
  return {
    people: [...peopleOf(scenario).map(({ id }) => id), 1, 2],
    // Group 1 and messages 1 and 2 belong to the strangers.
    groups: [scenario.groupId, scenario.groupId, scenario.groupId, 1],
    messages: [...ids, ...ids, 1, 2],
    userNames: peopleOf(scenario).map(({ userName }) => userName),
    password: PASSWORD,
    tokens: [person.tokens.accessToken],
  };
}

function bytesOf({ method, path, headers, body }: GeneratedRequest): Buffer {
  const isCounted = headers.some(([name]) => name === "content-length" || name === "transfer-encoding");
  const lines = [
    `${method} /api${path} HTTP/1.1`,
    "Host: x",
    "Connection: close",
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined || isCounted ? [] : [`content-length: ${body.length}`]),
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), body ?? Buffer.alloc(0)]);
}

/** The fault of an answer; undefined if it is right. */
function flawOf(
  answer: RawResponse,
  endpoint: Endpoint,
  generated: GeneratedRequest,
  isCut: boolean,
): string | undefined {
  const { status, headers, body } = answer;
  if (status === 0) return isCut || isBrokenHttp(generated) ? undefined : "no answer";
  if (status === 204) return generated.method === "OPTIONS" && body === "" ? undefined : "an empty answer";
  // Node itself answers with an empty body.
  if (status === 417 && generated.headers.some(([name]) => name === "expect")) return undefined;
  if (status !== 200 && status !== 403 && !OTHER_STATUSES.has(status)) return "a status that is not listed";
  if (body === "" && generated.method === "HEAD") return undefined;
  if (headers.get("content-type") !== "application/json; charset=utf-8") return "a body that is not JSON";
  let envelope: unknown;
  try {
    envelope = JSON.parse(body);
  } catch {
    return "broken JSON";
  }
  if (!isEnvelope(envelope)) return "JSON that is not an envelope";
  const { code, key, data } = envelope;
  if (code === 200) {
    if (status !== 200) return "a success with another status";
    return !generated.isValidHttp || endpoint.answer.safeParse(data).success
      ? undefined
      : "data that does not match the schema";
  }
  if (key === undefined || !Object.hasOwn(ERRORS, key)) return "an error that is not listed";
  if (key === "server.error" || key === "server.unavailable") return "an internal error";
  const listed = ERRORS[key];
  if (listed.code !== code) return "the code of another error";
  const isOther = key === "request.malformed" && OTHER_STATUSES.has(status);
  return listed.http === status || isOther ? undefined : "the status of another error";
}

/** Whether headers make the HTTP framing wrong: then the server may close the connection without an answer. */
function isBrokenHttp({ headers }: GeneratedRequest): boolean {
  return headers.some(([name]) =>
    ["content-length", "transfer-encoding", "expect", "upgrade", "host"].includes(name),
  );
}
