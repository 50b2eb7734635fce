/** Requests to every endpoint: of its own shape, with something wrong in one place or several. */
import * as z from "zod/mini";
import type { Chance } from "@parley/core/testing/prng";
import type { Endpoint } from "@parley/protocol/endpoint";
import { BODY_MAX_BYTES } from "@parley/protocol/limits";
import { CANARY, many, oddName, oddText, oddValue } from "@parley/core/testing/odd-values";

/** Numbers of things that are there, of the asking person's and of others'. */
export interface Known {
  people: readonly number[];
  groups: readonly number[];
  messages: readonly number[];
  userNames: readonly string[];
  password: string;
  tokens: readonly string[];
}

export interface MadeRequest {
  method: string;
  path: string;
  headers: readonly (readonly [string, string])[];
  body: Buffer | undefined;
  /** Method, path and the frame of HTTP are those of the endpoint. */
  isAimed: boolean;
}

/** JSON Schema, as far as the protocol uses it. */
interface Shape {
  type?: string;
  anyOf?: readonly Shape[];
  const?: unknown;
  enum?: readonly unknown[];
  properties?: Readonly<Record<string, Shape>>;
  required?: readonly string[];
  items?: Shape;
  additionalProperties?: Shape | boolean;
}

/** How often a value gives way to an odd one. */
const ODD = 0.06;
const KINDS = [0, 0, 0, 1, 2, 3, 4, 6, 7, 10, 11, 12, 21, 53, 80, 88, 92, 93, 100, -1, 1.5];
/** Around the limits of the protocol, in characters. */
const LENGTHS = [
  0, 1, 7, 8, 19, 20, 21, 63, 64, 65, 72, 73, 100, 128, 129, 200, 201, 1_023, 1_024, 1_025, 4_096, 4_097,
];
/** Around the limits of lists. */
const COUNTS = [0, 1, 2, 3, 20, 21, 50, 51, 100, 101];

export class Mutator {
  readonly #chance: Chance;
  readonly #known: Known;

  constructor(chance: Chance, known: Known) {
    this.#chance = chance;
    this.#known = known;
  }

  make(endpoint: Endpoint): MadeRequest {
    const chance = this.#chance;
    const headers: [string, string][] = [
      ["accessToken", chance.pick(this.#known.tokens)],
      ["terminal", "2"],
    ];
    let { method } = endpoint;
    let path = this.#path(endpoint);
    let isAimed = true;
    let body: Buffer | undefined;
    if (endpoint.upload !== undefined) {
      const boundary = `b${CANARY}`;
      headers.push(["content-type", `multipart/form-data; boundary=${boundary}`]);
      body = this.#multipart(boundary);
    } else if (endpoint.body !== undefined) {
      headers.push(["content-type", "application/json"]);
      body = this.#body(shapeOf(endpoint.body));
    }
    if (chance.isLuck(0.15)) this.#spoilHeaders(headers);
    if (chance.isLuck(0.03)) {
      method = chance.pick([
        "GET",
        "POST",
        "PUT",
        "DELETE",
        "PATCH",
        "HEAD",
        "OPTIONS",
      ] as Endpoint["method"][]);
      isAimed = false;
    }
    if (chance.isLuck(0.03)) {
      path = chance.pick([
        `${path}/`,
        path.replace("/", "//"),
        `/..${path}`,
        path.toUpperCase(),
        `${path}%2f`,
        `${path}%00`,
        `/%2e%2e${path}`,
      ]);
      isAimed = false;
    }
    if (body !== undefined && chance.isLuck(0.03)) body = undefined;
    else if (body === undefined && chance.isLuck(0.05)) body = Buffer.from(oddValue(chance));
    return { method, path, headers, body, isAimed };
  }

  #path(endpoint: Endpoint): string {
    const chance = this.#chance;
    const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
      chance.isLuck(0.2)
        ? encoded(chance, oddText(chance) || "x")
        : written(this.#queryValue({ type: "string" }, name)),
    );
    if (endpoint.query === undefined)
      return chance.isLuck(0.05) ? `${path}?${encoded(chance, oddText(chance))}` : path;
    const shape = shapeOf(endpoint.query);
    const parts: string[] = [];
    for (const [name, property] of Object.entries(shape.properties ?? {})) {
      const isLeft = shape.required?.includes(name) ? chance.isLuck(0.04) : chance.isLuck(0.5);
      if (isLeft) continue;
      const value = chance.isLuck(0.15)
        ? encoded(chance, oddText(chance))
        : written(this.#queryValue(property, name));
      parts.push(chance.isLuck(0.03) ? `${name}[]=${value}` : `${name}=${value}`);
      if (chance.isLuck(0.03)) parts.push(`${name}=${value}`);
    }
    if (chance.isLuck(0.05))
      parts.push(`${encoded(chance, oddName(chance))}=${encoded(chance, oddText(chance))}`);
    return `${path}?${parts.join("&")}`;
  }

  #queryValue(shape: Shape, name: string): string {
    const chance = this.#chance;
    if (chance.isLuck(0.1))
      return chance.pick([
        "-1",
        "1.5",
        "1e3",
        "0x1",
        "007",
        "9007199254740991",
        "9007199254740992",
        "null",
        "true",
        "",
        " 1",
      ]);
    if (shape.enum !== undefined) return String(chance.pick(shape.enum));
    if (/ids$/i.test(name)) return many(chance, 5, () => this.#id(name)).join(",");
    if (/^(id|.*Id|at|next|page|size|minSeqNo|maxSeqNo)$/.test(name))
      return name === "size" ? String(chance.pick([0, 1, 50, 100, 101])) : String(this.#id(name));
    return this.#text(name);
  }

  #body(shape: Shape): Buffer {
    const chance = this.#chance;
    const text = this.#json(shape, "");
    switch (chance.below(40)) {
      case 0:
        return Buffer.from(text.slice(0, chance.below(text.length)));
      case 1:
        return Buffer.concat([
          Buffer.from(text.slice(0, -2)),
          Buffer.from([0xff, 0xfe]),
          Buffer.from(text.slice(-2)),
        ]);
      case 2:
        return Buffer.from(`\ufeff${text}`);
      case 3:
        return Buffer.from(oddValue(chance));
      case 4:
        return Buffer.from(text.replace("}", `,${JSON.stringify(oddName(chance))}:${oddValue(chance)}}`));
      case 5:
        // Around the longest body that is taken.
        return Buffer.from(text.padEnd(BODY_MAX_BYTES + chance.pick([-1, 0, 1]), " "));
      case 6: {
        const bytes = Buffer.from(text);
        const at = chance.below(bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << chance.below(8));
        return bytes;
      }
      default:
        return Buffer.from(text);
    }
  }

  /** Text, not a value: what is odd may be no value of JavaScript. */
  #json(shape: Shape, name: string): string {
    const chance = this.#chance;
    if (chance.isLuck(ODD)) return oddValue(chance);
    if (shape.anyOf !== undefined) return this.#json(chance.pick(shape.anyOf), name);
    if (shape.const !== undefined) return JSON.stringify(chance.isLuck(0.1) ? this.#id(name) : shape.const);
    if (shape.enum !== undefined) return JSON.stringify(chance.pick(shape.enum));
    switch (shape.type) {
      case "object":
        return this.#object(shape);
      case "array": {
        const count = chance.isLuck(0.2) ? chance.pick(COUNTS) : chance.below(4);
        return `[${Array.from({ length: count }, () => this.#json(shape.items ?? {}, name)).join(",")}]`;
      }
      case "number":
      case "integer":
        return String(name === "type" ? chance.pick(KINDS) : this.#id(name));
      case "boolean":
        return String(chance.isLuck(0.5));
      case "null":
        return "null";
      case "string":
        return JSON.stringify(this.#text(name));
      default:
        return oddValue(chance);
    }
  }

  #object(shape: Shape): string {
    const chance = this.#chance;
    const parts: string[] = [];
    for (const [name, property] of Object.entries(shape.properties ?? {})) {
      const isLeft = shape.required?.includes(name) ? chance.isLuck(0.03) : chance.isLuck(0.5);
      if (isLeft) continue;
      const part = `${JSON.stringify(name)}:${this.#json(property, name)}`;
      parts.push(part);
      if (chance.isLuck(0.01)) parts.push(part);
    }
    if (typeof shape.additionalProperties === "object") {
      const { additionalProperties } = shape;
      const count = chance.pick(COUNTS.slice(0, 6));
      for (let i = 0; i < count; i++) {
        const key = chance.isLuck(0.2) ? oddName(chance) : this.#text("").slice(0, 18) + String(i);
        parts.push(`${JSON.stringify(key)}:${this.#json(additionalProperties, "")}`);
      }
    }
    if (chance.isLuck(0.03)) parts.push(`${JSON.stringify(oddName(chance))}:${oddValue(chance)}`);
    return `{${parts.join(",")}}`;
  }

  #id(name: string): number {
    const chance = this.#chance;
    const { people, groups, messages } = this.#known;
    if (chance.isLuck(0.08)) return chance.pick([0, -1, 1, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 1.5]);
    if (/friend|user|recv|send|member/i.test(name)) return chance.pick(people);
    if (/group/i.test(name)) return chance.pick(groups);
    if (/message|minId|maxId|aroundId|^ids$/i.test(name)) return chance.pick(messages);
    return chance.pick(chance.pick([people, groups, messages]));
  }

  #text(name: string): string {
    const chance = this.#chance;
    const { userNames, password } = this.#known;
    if (/password/i.test(name) && chance.isLuck(0.7)) return password;
    if (name === "userName")
      return chance.isLuck(0.3) ? chance.pick(userNames) : `u${chance.below(1e9).toString(36)}`;
    if (name === "content" && chance.isLuck(0.3)) {
      return chance.pick([
        JSON.stringify({ lat: 1, lng: 2, name: CANARY, address: CANARY }),
        JSON.stringify({ userId: chance.pick(this.#known.people), nickName: CANARY }),
        JSON.stringify({ originUrl: "/files/x/y.png", thumbUrl: "//evil.test/x" }),
        oddValue(chance),
      ]);
    }
    if (chance.isLuck(0.1)) return oddText(chance);
    const length = chance.isLuck(0.3) ? chance.pick(LENGTHS) : 2 + chance.below(14);
    const unit = chance.pick(["a", "a", "界", "😀", "\u0301"]);
    // Short names have no room for the canary, and stand in no log either: their letters are those of nothing else.
    const start = length > CANARY.length ? CANARY : "";
    return start + unit.repeat(Math.max(0, length - start.length));
  }

  #multipart(boundary: string): Buffer {
    const chance = this.#chance;
    const field = chance.isLuck(0.1) ? oddName(chance).replace(/[^\w]/g, "") : "file";
    const name = chance.isLuck(0.3) ? `${CANARY}${oddText(chance).replace(/[^\x20-\x7e]/g, "x")}` : "a.png";
    const content = chance.pick([
      PIXEL,
      PIXEL.subarray(0, chance.below(PIXEL.length)),
      Buffer.alloc(0),
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><script>${CANARY}</script></svg>`),
      Buffer.from(many(chance, 200, () => chance.below(256))),
      HUGE_PICTURE,
    ]);
    const part = (fieldName: string, bytes: Buffer) =>
      Buffer.concat([
        Buffer.from(
          `--${boundary}\r\nContent-Disposition: form-data; name="${fieldName}"; filename="${name}"\r\n`,
        ),
        Buffer.from(`Content-Type: ${chance.pick(["image/png", "text/html", "x", ""])}\r\n\r\n`),
        bytes,
        Buffer.from("\r\n"),
      ]);
    const parts = [part(field, content)];
    if (chance.isLuck(0.1)) parts.push(part("file", PIXEL));
    if (chance.isLuck(0.1))
      parts.unshift(
        Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="x"\r\n\r\n${CANARY}\r\n`),
      );
    const whole = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
    return chance.isLuck(0.15) ? whole.subarray(0, chance.below(whole.length)) : whole;
  }

  #spoilHeaders(headers: [string, string][]): void {
    const chance = this.#chance;
    const at = (name: string) => headers.findIndex(([known]) => known === name);
    const set = (name: string, value: string) => {
      const index = at(name);
      if (index < 0) headers.push([name, value]);
      else headers[index] = [name, value];
    };
    const odd = () => encoded(chance, oddText(chance));
    const spoil: (() => void)[] = [
      () => void headers.splice(at("accessToken"), 1),
      () =>
        set("accessToken", chance.pick(["", "x", "%ff", "null", odd(), "a.b.c", "x".repeat(5_000), CANARY])),
      () => headers.push(["accessToken", chance.pick(this.#known.tokens)]),
      () =>
        set(
          "content-type",
          chance.pick([
            "",
            "text/plain",
            "application/x-www-form-urlencoded",
            "application/json; charset=utf-16",
            "multipart/form-data",
            "multipart/form-data; boundary=",
            "application/json, application/json",
            "x/y;;;",
            "APPLICATION/JSON",
          ]),
        ),
      () => headers.push(["content-encoding", chance.pick(["gzip", "br", "identity", "deflate, gzip"])]),
      () =>
        headers.push([
          "accept-language",
          chance.pick(["", "*", "zh-TW", "en;q=x", ",,,", "x".repeat(2_000), odd()]),
        ]),
      () => headers.push(["accept-encoding", chance.pick(["gzip", "br;q=0", "*"])]),
      () => headers.push(["origin", chance.pick(["null", "https://evil.test", "x", ""])]),
      () => headers.push(["x-forwarded-for", chance.pick(["1.2.3.4", "x, y", "::1", ",".repeat(500)])]),
      () => headers.push(["expect", chance.pick(["100-continue", "200-ok"])]),
      () => headers.push(["range", "bytes=0-1,5-"]),
      () => headers.push(["if-none-match", "*"]),
      () => headers.push(["upgrade", chance.pick(["h2c", "x"])]),
      () => headers.push(["transfer-encoding", chance.pick(["chunked", "gzip", "chunked, identity"])]),
      () => headers.push(["content-length", chance.pick(["0", "-1", "1", "99999999999", "x"])]),
      () => headers.push(["refreshToken", chance.pick([CANARY, "", "%", chance.pick(this.#known.tokens)])]),
      () => set("terminal", chance.pick(["", "-1", "3", "9".repeat(30), "x", odd()])),
      () => headers.push(["deviceNo", chance.pick(["", "%ff", odd(), "x".repeat(300)])]),
      () => headers.push(["clientId", chance.pick(["", "%", odd(), "x".repeat(65)])]),
      () => headers.push(["content-disposition", "__proto__"]),
      () => headers.push([chance.pick(["__proto__", "constructor", "host"]), "x"]),
    ];
    for (let i = 0; i <= chance.below(2); i++) chance.pick(spoil)();
  }
}

const shapes = new Map<z.ZodMiniType, Shape>();

/** Of what is sent, not of what it becomes. */
function shapeOf(schema: z.ZodMiniType): Shape {
  const known = shapes.get(schema);
  if (known !== undefined) return known;
  const shape = z.toJSONSchema(schema, { io: "input" }) as Shape;
  shapes.set(schema, shape);
  return shape;
}

function written(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** In an address or a header: mostly as it must be written, sometimes half of it. */
function encoded(chance: Chance, text: string): string {
  const right = written(text);
  return chance.isLuck(0.2)
    ? `${right}${chance.pick(["%", "%f", "%ff", "%00", "%ed%a0%80", "+", ";", "#"])}`
    : right;
}

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);
/** The same, which says that it is 60,000 pixels wide and high. */
const HUGE_PICTURE = Buffer.from(PIXEL);
HUGE_PICTURE.writeUInt32BE(60_000, 16);
HUGE_PICTURE.writeUInt32BE(60_000, 20);
