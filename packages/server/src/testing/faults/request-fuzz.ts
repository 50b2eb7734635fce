/**
 * REQUESTS: every endpoint is asked by people who belong there, with something wrong in one place or several. Each answer must be the
 * envelope, of a listed refusal with its own status, or what the endpoint promises; never an error of the server. Others talk meanwhile, and
 * none of the answers may hold a word of what two strangers have said; nor may the log, nor anything else that was sent.
 */
import { createPrng } from "@parley/core/testing/prng";
import type { Endpoint } from "@parley/protocol/endpoint";
import { ENDPOINTS, type EndpointName } from "@parley/protocol/endpoints/all";
import { ERRORS, type Envelope, isEnvelope } from "@parley/protocol/envelope";
import { INSPECTOR_ENV } from "../process-inspector.ts";
import { flawsOfLog } from "../log-scan.ts";
import { SENTINEL } from "@parley/core/testing/edge-case-values";
import { PASSWORD, type TestPerson } from "../test-person.ts";
import { type SpawnOptions, startServer } from "../server-process.ts";
import { Sentinels } from "./sentinels.ts";
import { type RawResponse, sendRawRequest } from "./raw-http.ts";
import type { Report } from "./report.ts";
import { type GeneratedRequest, RequestMutator } from "./request-mutations.ts";
import { type Scenario, createScenario, peopleOf } from "./scenario.ts";
import { failIfServerDies, growthOf, usageAtRest, secretsOf } from "./server-watch.ts";

export interface RequestFuzzOptions {
  dataDir: string;
  seed: number;
  requests: number;
  /** Planted: one of the two strangers asks as well. */
  isInside?: boolean;
  /** Planted: another script that starts the server. */
  spawn?: SpawnOptions;
  env?: Record<string, string>;
}

/** What two strangers tell each other. */
const SECRET_TEXT = "sealed-77c0";
const WORKERS = 16;
const WARM_UP = 0.2;
/** After so many requests other people ask: sooner or later they have left, logged out or closed their accounts. */
const SCENARIO_EVERY = 400;
const SENTINEL_EVERY = 100;
const CUT = 0.01;
const REQUEST_SEEDS = 10_000_019;
/** What ends a session, or may. */
const LAST_CALLS: ReadonlySet<string> = new Set([
  "logout",
  "unregister",
  "modifyPwd",
  "endSession",
  "refreshToken",
] satisfies EndpointName[]);
const VIOLATIONS_MAX = 20;
const REPORTED_MAX = 1_200;
/** Of a request that is no HTTP, of one whose endpoint it is not, and of one that is too long. */
const OTHER_STATUSES: ReadonlySet<number> = new Set([400, 404, 405, 408, 413, 415, 431]);

export async function runRequestFuzz(options: RequestFuzzOptions): Promise<Report> {
  const { dataDir, seed, requests, isInside = false, spawn, env } = options;
  const server = await startServer(
    { DATA_DIR: dataDir, RATE_LIMITS: "off", LOG_LEVEL: "trace", ...INSPECTOR_ENV, ...env },
    spawn,
  );
  const fuzzer = new RequestFuzzer(server.url, seed);
  try {
    const strangers = await createScenario(server.url, "S");
    await storeSecrets(strangers);
    const sentinels = await Sentinels.create(server.url);
    fuzzer.meanwhile = () => sentinels.exchange();
    if (isInside) fuzzer.others.push(strangers);

    await failIfServerDies(server, fuzzer.run(Math.ceil(requests * WARM_UP)));
    const before = await usageAtRest(server, sentinels);
    await failIfServerDies(server, fuzzer.run(requests));
    const after = await usageAtRest(server, sentinels);

    fuzzer.violations.push(...growthOf(before, after), ...(await sentinels.finish()));
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
        `${fuzzer.asked} requests to ${Object.keys(ENDPOINTS).length} endpoints (seed ${seed}), by envelope code ${counts.join(", ")}; ` +
        `${sentinels.sentCount} messages of bystanders; heap ${mb(before.heap)} to ${mb(after.heap)} MiB, ` +
        `RSS ${mb(before.rss)} to ${mb(after.rss)} MiB, ${before.files} to ${after.files} files; ` +
        `${server.output().split("\n").length} lines of log without ${secrets.length} secrets`,
      violations: fuzzer.violations,
    };
  } catch (error) {
    const violations = [
      ...fuzzer.violations,
      `${String(error)}; the server says ${server.output().slice(-2_000)}`,
    ];
    return {
      name: "REQUESTS mutated requests",
      done: `broken off after ${fuzzer.asked} (seed ${seed})`,
      violations,
    };
  } finally {
    server.kill("SIGKILL");
    await server.exited;
  }
}

/** Words in every place where people write what is only for some. */
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

interface FuzzSender {
  scenario: Scenario;
  person: TestPerson;
}

class RequestFuzzer {
  asked = 0;
  /** Answers by the code of their envelope; 0: none. */
  readonly codes = new Map<number, number>();
  readonly violations: string[] = [];
  readonly people: TestPerson[] = [];
  readonly others: Scenario[] = [];
  meanwhile: () => Promise<void> = () => Promise.resolve();
  readonly #url: string;
  readonly #port: number;
  readonly #seed: number;
  #scenes: Promise<Scenario>[] = [];

  constructor(url: string, seed: number) {
    this.#url = url;
    this.#port = Number(new URL(url).port);
    this.#seed = seed;
  }

  async run(requests: number): Promise<void> {
    const end = this.asked + requests;
    const endpoints = Object.entries<Endpoint>(ENDPOINTS);
    const work = async () => {
      while (this.asked < end && this.violations.length < VIOLATIONS_MAX) {
        const number = this.asked++;
        const [name, endpoint] = endpoints[number % endpoints.length] ?? [];
        if (name === undefined || endpoint === undefined) return;
        if (number % SENTINEL_EVERY === 0) await this.meanwhile();
        await this.#send(number, name, endpoint);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
  }

  /** The people of this request, and some who were there before. */
  async #sceneOf(number: number): Promise<Scenario> {
    const index = Math.floor(number / SCENARIO_EVERY);
    this.#scenes[index] ??= createScenario(this.#url, `R${index}R`).then(async (scenario) => {
      this.people.push(...peopleOf(scenario));
      // Some of what they say and ask for is there from the start.
      await scenario.dan.call("applyGroup", { body: { groupId: scenario.groupId, remark: SENTINEL } });
      await scenario.dan.call("applyFriend", { body: { friendId: scenario.ann.id, remark: SENTINEL } });
      return scenario;
    });
    return this.#scenes[index];
  }

  async #send(number: number, name: string, endpoint: Endpoint): Promise<void> {
    const random = createPrng(this.#seed * REQUEST_SEEDS + number);
    const scenario = await this.#sceneOf(number);
    const { ann, bob, cat, dan } = random.pick([scenario, ...this.others]);
    // Whoever logs out or leaves for good asks nothing any more: that is dan.
    const person = LAST_CALLS.has(name) ? scenario.dan : random.pick([ann, ann, bob, bob, cat, cat, dan]);
    const fuzzSender: FuzzSender = { scenario, person };
    const made = new RequestMutator(random, knownBy(fuzzSender, this.others)).make(endpoint);
    const isCut = random.isTrueWithProbability(CUT);
    const whole = bytesOf(made);
    const bytes = isCut ? whole.subarray(0, random.below(whole.length)) : whole;
    const answer = await sendRawRequest(this.#port, bytes, isCut);
    const flaw = flawOf(answer, endpoint, made, isCut) ?? this.#note(answer);
    if (flaw === undefined) return;
    const words = `request ${number}, ${name}: ${flaw} in ${answer.status} ${answer.body.slice(0, 400)} to ${bytes.toString("latin1")}`;
    this.violations.push(words.slice(0, REPORTED_MAX));
  }

  #note({ body, status }: RawResponse): string | undefined {
    const code = status === 0 || status === 417 || body === "" ? 0 : (JSON.parse(body) as Envelope).code;
    this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
    return body.includes(SECRET_TEXT) ? "tells what strangers said" : undefined;
  }
}

function knownBy({ scenario, person }: FuzzSender, others: readonly Scenario[]) {
  const all = [scenario, ...others];
  const ids = all.flatMap((one) => [...Object.values(one.private), ...Object.values(one.group)]);
  return {
    people: [...peopleOf(scenario).map(({ id }) => id), 1, 2],
    // The first group, and the first messages, are the strangers'.
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

/** What is wrong with an answer. */
function flawOf(
  answer: RawResponse,
  endpoint: Endpoint,
  made: GeneratedRequest,
  isCut: boolean,
): string | undefined {
  const { status, headers, body } = answer;
  if (status === 0) return isCut || isBroken(made) ? undefined : "no answer";
  if (status === 204) return made.method === "OPTIONS" && body === "" ? undefined : "an empty answer";
  // Of Node itself, with no words.
  if (status === 417 && made.headers.some(([name]) => name === "expect")) return undefined;
  if (status !== 200 && status !== 403 && !OTHER_STATUSES.has(status)) return "a status that is not listed";
  if (body === "" && made.method === "HEAD") return undefined;
  if (headers.get("content-type") !== "application/json; charset=utf-8") return "no JSON";
  let envelope: unknown;
  try {
    envelope = JSON.parse(body);
  } catch {
    return "broken JSON";
  }
  if (!isEnvelope(envelope)) return "no envelope";
  const { code, key, data } = envelope;
  if (code === 200) {
    if (status !== 200) return "a success of another status";
    return !made.isAimed || endpoint.answer.safeParse(data).success ? undefined : "data that is not promised";
  }
  if (key === undefined || !Object.hasOwn(ERRORS, key)) return "a refusal that is not listed";
  if (key === "server.error" || key === "server.unavailable") return "an error of the server";
  const listed = ERRORS[key];
  if (listed.code !== code) return "the code of another refusal";
  const isOther = key === "request.malformed" && OTHER_STATUSES.has(status);
  return listed.http === status || isOther ? undefined : "the status of another refusal";
}

/** Headers by which the frame of HTTP itself is wrong: then the server may hang up. */
function isBroken({ headers }: GeneratedRequest): boolean {
  return headers.some(([name]) =>
    ["content-length", "transfer-encoding", "expect", "upgrade", "host"].includes(name),
  );
}
