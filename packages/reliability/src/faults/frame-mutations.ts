/** Generates mutated frames, each with the expected reaction of the server. */
import { isUtf8 } from "node:buffer";
import { FRAME_MAX_BYTES } from "@parley/protocol/limits";
import type { Prng } from "@parley/core/testing/prng";
import {
  SENTINEL,
  repeatUpTo,
  edgeCaseName,
  edgeCaseText,
  edgeCaseValue,
} from "@parley/core/testing/edge-case-values";
import { Opcode, clientFrame } from "../raw-frames.ts";

/** The meaning of a frame for the server: ignored, a heartbeat, a login with this token, a ping, or the end of the connection. */
export type FrameMeaning =
  | { kind: "nothing" }
  | { kind: "heartbeat" }
  | { kind: "login"; token: string }
  | { kind: "ping"; payload: string }
  | { kind: "malformed" };

/** The bytes of a frame and its meaning. */
export interface GeneratedFrame {
  bytes: Buffer;
  meaning: FrameMeaning;
}

const NOTHING: FrameMeaning = { kind: "nothing" };
const MALFORMED: FrameMeaning = { kind: "malformed" };

/** The meaning of a text. This repeats the rules of the gateway independently of its code. */
function meaningOf(payload: Buffer): FrameMeaning {
  if (!isUtf8(payload) || payload.length > FRAME_MAX_BYTES) return MALFORMED;
  let frame: unknown;
  try {
    frame = JSON.parse(payload.toString("utf8"));
  } catch {
    return MALFORMED;
  }
  if (typeof frame !== "object" || frame === null || Array.isArray(frame)) return MALFORMED;
  const { cmd, data } = frame as { cmd?: unknown; data?: unknown };
  if (cmd === 1) return { kind: "heartbeat" };
  if (cmd !== 0 || typeof data !== "object" || data === null || Array.isArray(data)) return MALFORMED;
  const { accessToken, devId, clientId, caps } = data as Record<string, unknown>;
  const isValid =
    typeof accessToken === "string" && isName(devId) && isName(clientId) && isCapabilityList(caps);
  return isValid ? { kind: "login", token: accessToken } : MALFORMED;
}

function isName(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return (
    typeof value === "string" && [...value].length <= 64 && value.isWellFormed() && !value.includes("\0")
  );
}

function isCapabilityList(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return (
    Array.isArray(value) && value.length <= 20 && value.every((capability) => typeof capability === "string")
  );
}

/** A valid frame, which is then mutated. */
function validText(random: Prng, tokens: readonly string[]): string {
  return random.isTrueWithProbability(0.5)
    ? JSON.stringify({ cmd: 1, data: {} })
    : loginText(random.pick(tokens));
}

function loginText(accessToken: string): string {
  const data = { accessToken, devId: SENTINEL, clientId: `tab of ${SENTINEL}`, caps: ["changes"] };
  return JSON.stringify({ cmd: 0, data });
}

/** A valid login. */
export function validLogin(token: string): GeneratedFrame {
  const bytes = clientFrame(Buffer.from(loginText(token)), { opcode: Opcode.TEXT });
  return { bytes, meaning: { kind: "login", token } };
}

type Mutate = (text: string, random: Prng) => string | Buffer;

const TOKEN = /"(?:[^"\\]|\\.)*"|[-+.\w]+|[[\]{}:,]/g;
const SCALAR = /"(?:[^"\\]|\\.)*"(?!:)|(?<=:)[-+.\w]+/g;

const MUTATIONS: readonly Mutate[] = [
  (text, random) => {
    const bytes = Buffer.from(text);
    for (let i = 0; i <= random.below(3); i++) {
      const at = random.below(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
    }
    return bytes;
  },
  (text, random) => text.slice(0, random.below(text.length)),
  (text, random) => withTokens(text, (tokens) => void tokens.splice(random.below(tokens.length), 1)),
  (text, random) =>
    withTokens(text, (tokens) => {
      const at = random.below(tokens.length);
      tokens.splice(at, 0, tokens[at] ?? "");
    }),
  (text, random) =>
    withTokens(text, (tokens) => {
      const [a, b] = [random.below(tokens.length), random.below(tokens.length)];
      [tokens[a], tokens[b]] = [tokens[b] ?? "", tokens[a] ?? ""];
    }),
  // A value of a wrong type or an unusual one. The data of a heartbeat may be anything.
  (text, random) => replaceOne(text, SCALAR, random, () => edgeCaseValue(random)),
  (_text, random) => `{"cmd":1,"data":${edgeCaseValue(random)}}`,
  (_text, random) =>
    `{"data":${edgeCaseValue(random)},${JSON.stringify(edgeCaseName(random))}:${edgeCaseValue(random)},"cmd":1}`,
  (_text, random) => `{"cmd":1,"data":${edgeCaseValue(random)},"cmd":${edgeCaseValue(random)}}`,
  (text, random) => text.replace("}", `,${JSON.stringify(edgeCaseName(random))}:${edgeCaseValue(random)}}`),
  (text, random) =>
    replaceOne(text, /(?<="cmd":)\d/g, random, () =>
      random.pick(["2", "3", "4", "5", "100", "-1", "1.0", "1e0", "01", '"1"']),
    ),
  (text, random) =>
    replaceOne(
      text,
      /[:,{}]/g,
      random,
      (found) => `${found}${random.pick([" ", "\n", "\t\r", "\u00a0", "\0", "//"])}`,
    ),
  (text, random) => `${random.pick(["\ufeff", "[", "\0", text])}${text}`,
  (text, random) =>
    replaceOne(text, /[a-zA-Z]/g, random, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
  (text, random) => replaceOne(text, /[a-zA-Z]/g, random, (letter) => letter.toUpperCase()),
  (_text, random) => edgeCaseValue(random),
  (_text, random) => SENTINEL + edgeCaseText(random),
  (_text, random) => Buffer.from(repeatUpTo(random, 60, () => random.below(256))),
  (_text, random) => `{"cmd":1,"data":${"[".repeat(random.below(30_000))}`,
  (_text, random) => {
    const depth = random.below(32_000);
    return `{"cmd":1,"data":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  },
  // Around the maximum length.
  (_text, random) => {
    const shell = '{"cmd":1,"data":""}';
    return shell.replace(
      '""',
      `"${"x".repeat(FRAME_MAX_BYTES - shell.length + random.pick([-1, 0, 1, 2]))}"`,
    );
  },
];
/** The last mutations make thousands of bytes. They are rare, because they would take most of the time. */
const LONG_MUTATIONS = 3;
const LONG_PROBABILITY = 0.004;

function mutatedPayload(random: Prng, tokens: readonly string[]): Buffer {
  const [short, long] = [MUTATIONS.slice(0, -LONG_MUTATIONS), MUTATIONS.slice(-LONG_MUTATIONS)];
  let text = validText(random, tokens);
  for (;;) {
    const mutated = random.pick(random.isTrueWithProbability(LONG_PROBABILITY) ? long : short)(text, random);
    if (typeof mutated !== "string") return mutated;
    if (random.isTrueWithProbability(0.85)) return Buffer.from(mutated);
    text = mutated;
  }
}

/** One frame with a mutated payload or mutated bytes. */
export function mutateFrame(random: Prng, tokens: readonly string[]): GeneratedFrame {
  const payload = mutatedPayload(random, tokens);
  const withMeaning = (bytes: Buffer, meaning = meaningOf(payload)): GeneratedFrame => ({ bytes, meaning });
  const textFrame = { opcode: Opcode.TEXT };
  switch (random.below(24)) {
    case 0:
      return withMeaning(clientFrame(payload, { opcode: Opcode.BINARY }), MALFORMED);
    case 1:
      return withMeaning(clientFrame(payload, { ...textFrame, isMasked: false }), MALFORMED);
    case 2:
      return withMeaning(clientFrame(payload, { ...textFrame, reserved: 1 + random.below(7) }), MALFORMED);
    case 3:
      return withMeaning(
        clientFrame(payload, { opcode: random.pick([3, 4, 5, 6, 7, 11, 12, 13, 14, 15]) }),
        MALFORMED,
      );
    case 4:
      return withMeaning(clientFrame(payload, { opcode: Opcode.CONTINUATION }), MALFORMED);
    case 5: {
      const length = random.pick([BigInt(FRAME_MAX_BYTES + 1), 2n ** 31n, 2n ** 53n, 2n ** 63n]);
      return withMeaning(clientFrame(payload, { ...textFrame, length }), MALFORMED);
    }
    case 6: {
      const ping = payload.subarray(0, 125);
      const meaning: FrameMeaning = { kind: "ping", payload: ping.toString("base64") };
      return withMeaning(clientFrame(ping, { opcode: Opcode.PING }), meaning);
    }
    case 7:
      return withMeaning(clientFrame(payload.subarray(0, 125), { opcode: Opcode.PONG }), NOTHING);
    case 8: {
      const long = Buffer.alloc(126 + random.below(100));
      return withMeaning(
        clientFrame(long, { opcode: random.pick([Opcode.PING, Opcode.PONG, Opcode.CLOSE]) }),
        MALFORMED,
      );
    }
    case 9:
      return withMeaning(clientFrame(Buffer.alloc(2), { opcode: Opcode.PING, isFinal: false }), MALFORMED);
    case 10:
      // A code that must not be sent, half a code, and a reason that is not UTF-8.
      return withMeaning(
        clientFrame(
          random.pick([
            Buffer.from([0x03, 0xe7]),
            Buffer.from([3]),
            Buffer.from([0x03, 0xe8, 0xff]),
            Buffer.from([3, 0xed]),
          ]),
          { opcode: Opcode.CLOSE },
        ),
        MALFORMED,
      );
    case 11:
    case 12:
    case 13:
      return withMeaning(fragment(payload, random));
    case 14: {
      // A second message begins inside the first.
      const first = clientFrame(payload, { ...textFrame, isFinal: false });
      return withMeaning(Buffer.concat([first, clientFrame(payload, textFrame)]), MALFORMED);
    }
    default:
      return withMeaning(clientFrame(payload, textFrame));
  }
}

/** One message in several frames, with control frames between them. */
function fragment(payload: Buffer, random: Prng): Buffer {
  const cuts = repeatUpTo(random, 4, () => random.below(payload.length + 1)).sort((a, b) => a - b);
  const ends = [...cuts, payload.length];
  const parts = ends.map((end, index) => payload.subarray(ends[index - 1] ?? 0, end));
  return Buffer.concat(
    parts.flatMap((part, index) => {
      const isFinal = index === parts.length - 1;
      const opcode = index === 0 ? Opcode.TEXT : Opcode.CONTINUATION;
      const frame = clientFrame(part, { opcode, isFinal });
      return random.isTrueWithProbability(0.3) && !isFinal
        ? [frame, clientFrame(Buffer.alloc(0), { opcode: Opcode.PONG })]
        : [frame];
    }),
  );
}

/** Several mutated frames with flipped bits, whose meaning is unknown. */
export function randomBytes(random: Prng, tokens: readonly string[]): Buffer {
  const bytes = Buffer.concat(
    Array.from({ length: 1 + random.below(6) }, () => mutateFrame(random, tokens).bytes),
  );
  for (let i = 0; i <= random.below(6); i++) {
    const at = random.below(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
  }
  return bytes.subarray(0, random.isTrueWithProbability(0.5) ? bytes.length : random.below(bytes.length));
}

function withTokens(text: string, change: (tokens: string[]) => void): string {
  const tokens = text.match(TOKEN) ?? [];
  if (tokens.length > 0) change(tokens);
  return tokens.join("");
}

function replaceOne(text: string, pattern: RegExp, random: Prng, replace: (match: string) => string): string {
  const matches = [...text.matchAll(pattern)];
  if (matches.length === 0) return text;
  const { index, 0: part } = random.pick(matches);
  return text.slice(0, index) + replace(part) + text.slice(index + part.length);
}
