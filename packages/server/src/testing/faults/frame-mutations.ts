/** Frames that no client sends, each with what the server must do about it. */
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

/** What a frame is to a server: nothing to answer; a sign of life; a login by this token; the end. */
export type FrameMeaning =
  | { kind: "nothing" }
  | { kind: "heartbeat" }
  | { kind: "login"; token: string }
  | { kind: "ping"; payload: string }
  | { kind: "malformed" };

export interface GeneratedFrame {
  bytes: Buffer;
  meaning: FrameMeaning;
}

const NOTHING: FrameMeaning = { kind: "nothing" };
const MALFORMED: FrameMeaning = { kind: "malformed" };

/** Written down once more, by hand: what of a text the server must understand. */
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
  const isRight = typeof accessToken === "string" && isName(devId) && isName(clientId) && isCaps(caps);
  return isRight ? { kind: "login", token: accessToken } : MALFORMED;
}

function isName(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return (
    typeof value === "string" && [...value].length <= 64 && value.isWellFormed() && !value.includes("\0")
  );
}

function isCaps(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) && value.length <= 20 && value.every((cap) => typeof cap === "string");
}

/** A frame that is right: what is mutated. */
function rightText(random: Prng, tokens: readonly string[]): string {
  return random.isTrueWithProbability(0.5)
    ? JSON.stringify({ cmd: 1, data: {} })
    : loginText(random.pick(tokens));
}

function loginText(accessToken: string): string {
  const data = { accessToken, devId: SENTINEL, clientId: `tab of ${SENTINEL}`, caps: ["changes"] };
  return JSON.stringify({ cmd: 0, data });
}

/** A login that nothing is wrong with. */
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
  // A value of the wrong type, or of an odd one that is right: the data of a heartbeat may be anything.
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
  // Around the longest that is taken.
  (_text, random) => {
    const shell = '{"cmd":1,"data":""}';
    return shell.replace(
      '""',
      `"${"x".repeat(FRAME_MAX_BYTES - shell.length + random.pick([-1, 0, 1, 2]))}"`,
    );
  },
];
/** Those of thousands of bytes come seldom: they would make most of the work. */
const LONG = 3;
const LONG_ONES = 0.004;

function mutatedPayload(random: Prng, tokens: readonly string[]): Buffer {
  const [short, long] = [MUTATIONS.slice(0, -LONG), MUTATIONS.slice(-LONG)];
  let text = rightText(random, tokens);
  for (;;) {
    const mutated = random.pick(random.isTrueWithProbability(LONG_ONES) ? long : short)(text, random);
    if (typeof mutated !== "string") return mutated;
    if (random.isTrueWithProbability(0.85)) return Buffer.from(mutated);
    text = mutated;
  }
}

/** One frame, mutated in its words, or in its bytes. */
export function mutateFrame(random: Prng, tokens: readonly string[]): GeneratedFrame {
  const payload = mutatedPayload(random, tokens);
  const made = (bytes: Buffer, meaning = meaningOf(payload)): GeneratedFrame => ({ bytes, meaning });
  const whole = { opcode: Opcode.TEXT };
  switch (random.below(24)) {
    case 0:
      return made(clientFrame(payload, { opcode: Opcode.BINARY }), MALFORMED);
    case 1:
      return made(clientFrame(payload, { ...whole, isMasked: false }), MALFORMED);
    case 2:
      return made(clientFrame(payload, { ...whole, reserved: 1 + random.below(7) }), MALFORMED);
    case 3:
      return made(
        clientFrame(payload, { opcode: random.pick([3, 4, 5, 6, 7, 11, 12, 13, 14, 15]) }),
        MALFORMED,
      );
    case 4:
      return made(clientFrame(payload, { opcode: Opcode.CONTINUATION }), MALFORMED);
    case 5: {
      const length = random.pick([BigInt(FRAME_MAX_BYTES + 1), 2n ** 31n, 2n ** 53n, 2n ** 63n]);
      return made(clientFrame(payload, { ...whole, length }), MALFORMED);
    }
    case 6: {
      const ping = payload.subarray(0, 125);
      const meaning: FrameMeaning = { kind: "ping", payload: ping.toString("base64") };
      return made(clientFrame(ping, { opcode: Opcode.PING }), meaning);
    }
    case 7:
      return made(clientFrame(payload.subarray(0, 125), { opcode: Opcode.PONG }), NOTHING);
    case 8: {
      const long = Buffer.alloc(126 + random.below(100));
      return made(
        clientFrame(long, { opcode: random.pick([Opcode.PING, Opcode.PONG, Opcode.CLOSE]) }),
        MALFORMED,
      );
    }
    case 9:
      return made(clientFrame(Buffer.alloc(2), { opcode: Opcode.PING, isFinal: false }), MALFORMED);
    case 10:
      // A code that nobody may send, half a code, a reason that is no text.
      return made(
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
      return made(inPieces(payload, random));
    case 14: {
      // A second message begins inside the first.
      const first = clientFrame(payload, { ...whole, isFinal: false });
      return made(Buffer.concat([first, clientFrame(payload, whole)]), MALFORMED);
    }
    default:
      return made(clientFrame(payload, whole));
  }
}

/** One message in several frames, control frames between them. */
function inPieces(payload: Buffer, random: Prng): Buffer {
  const cuts = repeatUpTo(random, 4, () => random.below(payload.length + 1)).sort((a, b) => a - b);
  const ends = [...cuts, payload.length];
  const pieces = ends.map((end, index) => payload.subarray(ends[index - 1] ?? 0, end));
  return Buffer.concat(
    pieces.flatMap((piece, index) => {
      const isFinal = index === pieces.length - 1;
      const opcode = index === 0 ? Opcode.TEXT : Opcode.CONTINUATION;
      const frame = clientFrame(piece, { opcode, isFinal });
      return random.isTrueWithProbability(0.3) && !isFinal
        ? [frame, clientFrame(Buffer.alloc(0), { opcode: Opcode.PONG })]
        : [frame];
    }),
  );
}

/** Bytes of which nobody can say what they mean. */
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

function replaceOne(text: string, what: RegExp, random: Prng, by: (found: string) => string): string {
  const found = [...text.matchAll(what)];
  if (found.length === 0) return text;
  const { index, 0: part } = random.pick(found);
  return text.slice(0, index) + by(part) + text.slice(index + part.length);
}
