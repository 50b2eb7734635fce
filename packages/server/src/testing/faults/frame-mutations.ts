/** Frames that no client sends, each with what the server must do about it. */
import { isUtf8 } from "node:buffer";
import { FRAME_MAX_BYTES } from "@parley/protocol/limits";
import type { Chance } from "@parley/core/testing/prng";
import { CANARY, many, oddName, oddText, oddValue } from "@parley/core/testing/odd-values";
import { Opcode, clientFrame } from "../raw-frames.ts";

/** What a frame is to a server: nothing to answer; a sign of life; a login by this token; the end. */
export type Meaning =
  | { kind: "nothing" }
  | { kind: "heartbeat" }
  | { kind: "login"; token: string }
  | { kind: "ping"; payload: string }
  | { kind: "malformed" };

export interface MadeFrame {
  bytes: Buffer;
  meaning: Meaning;
}

const NOTHING: Meaning = { kind: "nothing" };
const MALFORMED: Meaning = { kind: "malformed" };

/** Written down once more, by hand: what of a text the server must understand. */
function meaningOf(payload: Buffer): Meaning {
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
function rightText(chance: Chance, tokens: readonly string[]): string {
  return chance.isLuck(0.5) ? JSON.stringify({ cmd: 1, data: {} }) : loginText(chance.pick(tokens));
}

function loginText(accessToken: string): string {
  const data = { accessToken, devId: CANARY, clientId: `tab of ${CANARY}`, caps: ["changes"] };
  return JSON.stringify({ cmd: 0, data });
}

/** A login that nothing is wrong with. */
export function rightLogin(token: string): MadeFrame {
  const bytes = clientFrame(Buffer.from(loginText(token)), { opcode: Opcode.TEXT });
  return { bytes, meaning: { kind: "login", token } };
}

type Mutate = (text: string, chance: Chance) => string | Buffer;

const TOKEN = /"(?:[^"\\]|\\.)*"|[-+.\w]+|[[\]{}:,]/g;
const SCALAR = /"(?:[^"\\]|\\.)*"(?!:)|(?<=:)[-+.\w]+/g;

const MUTATIONS: readonly Mutate[] = [
  (text, chance) => {
    const bytes = Buffer.from(text);
    for (let i = 0; i <= chance.below(3); i++) {
      const at = chance.below(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << chance.below(8));
    }
    return bytes;
  },
  (text, chance) => text.slice(0, chance.below(text.length)),
  (text, chance) => withTokens(text, (tokens) => void tokens.splice(chance.below(tokens.length), 1)),
  (text, chance) =>
    withTokens(text, (tokens) => {
      const at = chance.below(tokens.length);
      tokens.splice(at, 0, tokens[at] ?? "");
    }),
  (text, chance) =>
    withTokens(text, (tokens) => {
      const [a, b] = [chance.below(tokens.length), chance.below(tokens.length)];
      [tokens[a], tokens[b]] = [tokens[b] ?? "", tokens[a] ?? ""];
    }),
  // A value of the wrong type, or of an odd one that is right: the data of a heartbeat may be anything.
  (text, chance) => replaceOne(text, SCALAR, chance, () => oddValue(chance)),
  (_text, chance) => `{"cmd":1,"data":${oddValue(chance)}}`,
  (_text, chance) =>
    `{"data":${oddValue(chance)},${JSON.stringify(oddName(chance))}:${oddValue(chance)},"cmd":1}`,
  (_text, chance) => `{"cmd":1,"data":${oddValue(chance)},"cmd":${oddValue(chance)}}`,
  (text, chance) => text.replace("}", `,${JSON.stringify(oddName(chance))}:${oddValue(chance)}}`),
  (text, chance) =>
    replaceOne(text, /(?<="cmd":)\d/g, chance, () =>
      chance.pick(["2", "3", "4", "5", "100", "-1", "1.0", "1e0", "01", '"1"']),
    ),
  (text, chance) =>
    replaceOne(
      text,
      /[:,{}]/g,
      chance,
      (found) => `${found}${chance.pick([" ", "\n", "\t\r", "\u00a0", "\0", "//"])}`,
    ),
  (text, chance) => `${chance.pick(["\ufeff", "[", "\0", text])}${text}`,
  (text, chance) =>
    replaceOne(text, /[a-zA-Z]/g, chance, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
  (text, chance) => replaceOne(text, /[a-zA-Z]/g, chance, (letter) => letter.toUpperCase()),
  (_text, chance) => oddValue(chance),
  (_text, chance) => CANARY + oddText(chance),
  (_text, chance) => Buffer.from(many(chance, 60, () => chance.below(256))),
  (_text, chance) => `{"cmd":1,"data":${"[".repeat(chance.below(30_000))}`,
  (_text, chance) => {
    const depth = chance.below(32_000);
    return `{"cmd":1,"data":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  },
  // Around the longest that is taken.
  (_text, chance) => {
    const shell = '{"cmd":1,"data":""}';
    return shell.replace(
      '""',
      `"${"x".repeat(FRAME_MAX_BYTES - shell.length + chance.pick([-1, 0, 1, 2]))}"`,
    );
  },
];
/** Those of thousands of bytes come seldom: they would make most of the work. */
const LONG = 3;
const LONG_ONES = 0.004;

function mutatedPayload(chance: Chance, tokens: readonly string[]): Buffer {
  const [short, long] = [MUTATIONS.slice(0, -LONG), MUTATIONS.slice(-LONG)];
  let text = rightText(chance, tokens);
  for (;;) {
    const mutated = chance.pick(chance.isLuck(LONG_ONES) ? long : short)(text, chance);
    if (typeof mutated !== "string") return mutated;
    if (chance.isLuck(0.85)) return Buffer.from(mutated);
    text = mutated;
  }
}

/** One frame, mutated in its words, or in its bytes. */
export function mutatedFrame(chance: Chance, tokens: readonly string[]): MadeFrame {
  const payload = mutatedPayload(chance, tokens);
  const made = (bytes: Buffer, meaning = meaningOf(payload)): MadeFrame => ({ bytes, meaning });
  const whole = { opcode: Opcode.TEXT };
  switch (chance.below(24)) {
    case 0:
      return made(clientFrame(payload, { opcode: Opcode.BINARY }), MALFORMED);
    case 1:
      return made(clientFrame(payload, { ...whole, isMasked: false }), MALFORMED);
    case 2:
      return made(clientFrame(payload, { ...whole, reserved: 1 + chance.below(7) }), MALFORMED);
    case 3:
      return made(
        clientFrame(payload, { opcode: chance.pick([3, 4, 5, 6, 7, 11, 12, 13, 14, 15]) }),
        MALFORMED,
      );
    case 4:
      return made(clientFrame(payload, { opcode: Opcode.CONTINUATION }), MALFORMED);
    case 5: {
      const length = chance.pick([BigInt(FRAME_MAX_BYTES + 1), 2n ** 31n, 2n ** 53n, 2n ** 63n]);
      return made(clientFrame(payload, { ...whole, length }), MALFORMED);
    }
    case 6: {
      const ping = payload.subarray(0, 125);
      const meaning: Meaning = { kind: "ping", payload: ping.toString("base64") };
      return made(clientFrame(ping, { opcode: Opcode.PING }), meaning);
    }
    case 7:
      return made(clientFrame(payload.subarray(0, 125), { opcode: Opcode.PONG }), NOTHING);
    case 8: {
      const long = Buffer.alloc(126 + chance.below(100));
      return made(
        clientFrame(long, { opcode: chance.pick([Opcode.PING, Opcode.PONG, Opcode.CLOSE]) }),
        MALFORMED,
      );
    }
    case 9:
      return made(clientFrame(Buffer.alloc(2), { opcode: Opcode.PING, isFinal: false }), MALFORMED);
    case 10:
      // A code that nobody may send, half a code, a reason that is no text.
      return made(
        clientFrame(
          chance.pick([
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
      return made(inPieces(payload, chance));
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
function inPieces(payload: Buffer, chance: Chance): Buffer {
  const cuts = many(chance, 4, () => chance.below(payload.length + 1)).sort((a, b) => a - b);
  const ends = [...cuts, payload.length];
  const pieces = ends.map((end, index) => payload.subarray(ends[index - 1] ?? 0, end));
  return Buffer.concat(
    pieces.flatMap((piece, index) => {
      const isFinal = index === pieces.length - 1;
      const opcode = index === 0 ? Opcode.TEXT : Opcode.CONTINUATION;
      const frame = clientFrame(piece, { opcode, isFinal });
      return chance.isLuck(0.3) && !isFinal
        ? [frame, clientFrame(Buffer.alloc(0), { opcode: Opcode.PONG })]
        : [frame];
    }),
  );
}

/** Bytes of which nobody can say what they mean. */
export function wildBytes(chance: Chance, tokens: readonly string[]): Buffer {
  const bytes = Buffer.concat(
    Array.from({ length: 1 + chance.below(6) }, () => mutatedFrame(chance, tokens).bytes),
  );
  for (let i = 0; i <= chance.below(6); i++) {
    const at = chance.below(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << chance.below(8));
  }
  return bytes.subarray(0, chance.isLuck(0.5) ? bytes.length : chance.below(bytes.length));
}

function withTokens(text: string, change: (tokens: string[]) => void): string {
  const tokens = text.match(TOKEN) ?? [];
  if (tokens.length > 0) change(tokens);
  return tokens.join("");
}

function replaceOne(text: string, what: RegExp, chance: Chance, by: (found: string) => string): string {
  const found = [...text.matchAll(what)];
  if (found.length === 0) return text;
  const { index, 0: part } = chance.pick(found);
  return text.slice(0, index) + by(part) + text.slice(index + part.length);
}
