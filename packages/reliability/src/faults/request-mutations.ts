/** Generates requests to endpoints that mostly match their schemas and have one or several faults. */
import type { Prng } from "@parley/core/testing/prng";
import type { Endpoint } from "@parley/protocol/endpoint";
import { BODY_MAX_BYTES } from "@parley/protocol/limits";
import {
  SENTINEL,
  repeatUpTo,
  edgeCaseName,
  edgeCaseText,
  edgeCaseValue,
} from "@parley/core/testing/edge-case-values";
import { type Shape, shapeOf } from "@parley/server/testing/shape-of";

/** Existing ids and names, of the sending person and of others. */
export interface KnownValues {
  people: readonly number[];
  groups: readonly number[];
  messages: readonly number[];
  userNames: readonly string[];
  password: string;
  tokens: readonly string[];
}

/** A generated request. */
export interface GeneratedRequest {
  method: string;
  path: string;
  headers: readonly (readonly [string, string])[];
  body: Buffer | undefined;
  /** Method and path are those of the endpoint. */
  isValidHttp: boolean;
}

/** How often a value is replaced by an edge case. */
const EDGE_CASE_PROBABILITY = 0.06;
const MESSAGE_TYPES = [0, 0, 0, 1, 2, 3, 4, 6, 7, 10, 11, 12, 21, 53, 80, 88, 92, 93, 100, -1, 1.5];
/** Lengths of texts around the limits of the protocol, in characters. */
const LENGTHS = [
  0, 1, 7, 8, 19, 20, 21, 63, 64, 65, 72, 73, 100, 128, 129, 200, 201, 1_023, 1_024, 1_025, 4_096, 4_097,
];
/** Lengths of lists around their limits. */
const COUNTS = [0, 1, 2, 3, 20, 21, 50, 51, 100, 101];

/** Makes requests from random numbers and known values. */
export class RequestMutator {
  readonly #random: Prng;
  readonly #known: KnownValues;

  constructor(random: Prng, known: KnownValues) {
    this.#random = random;
    this.#known = known;
  }

  make(endpoint: Endpoint): GeneratedRequest {
    const random = this.#random;
    const headers: [string, string][] = [
      ["accessToken", random.pick(this.#known.tokens)],
      ["terminal", "2"],
    ];
    let { method } = endpoint;
    let path = this.#path(endpoint);
    let isValidHttp = true;
    let body: Buffer | undefined;
    if (endpoint.upload !== undefined) {
      const boundary = `b${SENTINEL}`;
      headers.push(["content-type", `multipart/form-data; boundary=${boundary}`]);
      body = this.#multipart(boundary, endpoint.upload.fields);
    } else if (endpoint.body !== undefined) {
      headers.push(["content-type", "application/json"]);
      body = this.#body(shapeOf(endpoint.body));
    }
    if (random.isTrueWithProbability(0.15)) this.#corruptHeaders(headers);
    if (random.isTrueWithProbability(0.03)) {
      method = random.pick([
        "GET",
        "POST",
        "PUT",
        "DELETE",
        "PATCH",
        "HEAD",
        "OPTIONS",
      ] as Endpoint["method"][]);
      isValidHttp = false;
    }
    if (random.isTrueWithProbability(0.03)) {
      path = random.pick([
        `${path}/`,
        path.replace("/", "//"),
        `/..${path}`,
        path.toUpperCase(),
        `${path}%2f`,
        `${path}%00`,
        `/%2e%2e${path}`,
      ]);
      isValidHttp = false;
    }
    if (body !== undefined && random.isTrueWithProbability(0.03)) body = undefined;
    else if (body === undefined && random.isTrueWithProbability(0.05))
      body = Buffer.from(edgeCaseValue(random));
    return { method, path, headers, body, isValidHttp };
  }

  #path(endpoint: Endpoint): string {
    const random = this.#random;
    const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
      random.isTrueWithProbability(0.2)
        ? encodeTextOrBreak(random, edgeCaseText(random) || "x")
        : encodeText(this.#queryValue({ type: "string" }, name)),
    );
    if (endpoint.query === undefined)
      return random.isTrueWithProbability(0.05)
        ? `${path}?${encodeTextOrBreak(random, edgeCaseText(random))}`
        : path;
    const shape = shapeOf(endpoint.query);
    const parts: string[] = [];
    for (const [name, property] of Object.entries(shape.properties ?? {})) {
      const isLeftOut = shape.required?.includes(name)
        ? random.isTrueWithProbability(0.04)
        : random.isTrueWithProbability(0.5);
      if (isLeftOut) continue;
      const value = random.isTrueWithProbability(0.15)
        ? encodeTextOrBreak(random, edgeCaseText(random))
        : encodeText(this.#queryValue(property, name));
      parts.push(random.isTrueWithProbability(0.03) ? `${name}[]=${value}` : `${name}=${value}`);
      if (random.isTrueWithProbability(0.03)) parts.push(`${name}=${value}`);
    }
    if (random.isTrueWithProbability(0.05))
      parts.push(
        `${encodeTextOrBreak(random, edgeCaseName(random))}=${encodeTextOrBreak(random, edgeCaseText(random))}`,
      );
    return `${path}?${parts.join("&")}`;
  }

  #queryValue(shape: Shape, name: string): string {
    const random = this.#random;
    if (random.isTrueWithProbability(0.1))
      return random.pick([
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
    if (shape.enum !== undefined) return String(random.pick(shape.enum));
    if (/ids$/i.test(name)) return repeatUpTo(random, 5, () => this.#id(name)).join(",");
    if (/^(id|.*Id|at|next|page|size|minSeqNo|maxSeqNo)$/.test(name))
      return name === "size" ? String(random.pick([0, 1, 50, 100, 101])) : String(this.#id(name));
    return this.#text(name);
  }

  #body(shape: Shape): Buffer {
    const random = this.#random;
    const text = this.#json(shape, "");
    switch (random.below(40)) {
      case 0:
        return Buffer.from(text.slice(0, random.below(text.length)));
      case 1:
        return Buffer.concat([
          Buffer.from(text.slice(0, -2)),
          Buffer.from([0xff, 0xfe]),
          Buffer.from(text.slice(-2)),
        ]);
      case 2:
        return Buffer.from(`\ufeff${text}`);
      case 3:
        return Buffer.from(edgeCaseValue(random));
      case 4:
        return Buffer.from(
          text.replace("}", `,${JSON.stringify(edgeCaseName(random))}:${edgeCaseValue(random)}}`),
        );
      case 5:
        // Around the maximum length of a body.
        return Buffer.from(text.padEnd(BODY_MAX_BYTES + random.pick([-1, 0, 1]), " "));
      case 6: {
        const bytes = Buffer.from(text);
        const at = random.below(bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
        return bytes;
      }
      default:
        return Buffer.from(text);
    }
  }

  /** A JSON text, because some edge cases are not values of JavaScript. */
  #json(shape: Shape, name: string): string {
    const random = this.#random;
    if (random.isTrueWithProbability(EDGE_CASE_PROBABILITY)) return edgeCaseValue(random);
    if (shape.anyOf !== undefined) return this.#json(random.pick(shape.anyOf), name);
    if (shape.const !== undefined)
      return JSON.stringify(random.isTrueWithProbability(0.1) ? this.#id(name) : shape.const);
    if (shape.enum !== undefined) return JSON.stringify(random.pick(shape.enum));
    switch (shape.type) {
      case "object":
        return this.#object(shape);
      case "array": {
        const count = random.isTrueWithProbability(0.2) ? random.pick(COUNTS) : random.below(4);
        return `[${Array.from({ length: count }, () => this.#json(shape.items ?? {}, name)).join(",")}]`;
      }
      case "number":
      case "integer":
        return String(name === "type" ? random.pick(MESSAGE_TYPES) : this.#id(name));
      case "boolean":
        return String(random.isTrueWithProbability(0.5));
      case "null":
        return "null";
      case "string":
        return JSON.stringify(this.#text(name));
      default:
        return edgeCaseValue(random);
    }
  }

  #object(shape: Shape): string {
    const random = this.#random;
    const parts: string[] = [];
    for (const [name, property] of Object.entries(shape.properties ?? {})) {
      const isLeftOut = shape.required?.includes(name)
        ? random.isTrueWithProbability(0.03)
        : random.isTrueWithProbability(0.5);
      if (isLeftOut) continue;
      const part = `${JSON.stringify(name)}:${this.#json(property, name)}`;
      parts.push(part);
      if (random.isTrueWithProbability(0.01)) parts.push(part);
    }
    if (typeof shape.additionalProperties === "object") {
      const { additionalProperties } = shape;
      const count = random.pick(COUNTS.slice(0, 6));
      for (let i = 0; i < count; i++) {
        const key = random.isTrueWithProbability(0.2)
          ? edgeCaseName(random)
          : this.#text("").slice(0, 18) + String(i);
        parts.push(`${JSON.stringify(key)}:${this.#json(additionalProperties, "")}`);
      }
    }
    if (random.isTrueWithProbability(0.03))
      parts.push(`${JSON.stringify(edgeCaseName(random))}:${edgeCaseValue(random)}`);
    return `{${parts.join(",")}}`;
  }

  #id(name: string): number {
    const random = this.#random;
    const { people, groups, messages } = this.#known;
    if (random.isTrueWithProbability(0.08))
      return random.pick([0, -1, 1, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 1.5]);
    if (/friend|user|recv|send|member/i.test(name)) return random.pick(people);
    if (/group/i.test(name)) return random.pick(groups);
    if (/message|minId|maxId|aroundId|^ids$/i.test(name)) return random.pick(messages);
    return random.pick(random.pick([people, groups, messages]));
  }

  #text(name: string): string {
    const random = this.#random;
    const { userNames, password } = this.#known;
    if (/password/i.test(name) && random.isTrueWithProbability(0.7)) return password;
    if (name === "userName")
      return random.isTrueWithProbability(0.3)
        ? random.pick(userNames)
        : `u${random.below(1e9).toString(36)}`;
    if (name === "content" && random.isTrueWithProbability(0.3)) {
      return random.pick([
        JSON.stringify({ lat: 1, lng: 2, name: SENTINEL, address: SENTINEL }),
        JSON.stringify({ userId: random.pick(this.#known.people), nickName: SENTINEL }),
        JSON.stringify({ originUrl: "/files/x/y.png", thumbUrl: "//evil.test/x" }),
        edgeCaseValue(random),
      ]);
    }
    if (random.isTrueWithProbability(0.1)) return edgeCaseText(random);
    const length = random.isTrueWithProbability(0.3) ? random.pick(LENGTHS) : 2 + random.below(14);
    const unit = random.pick(["a", "a", "界", "😀", "\u0301"]);
    // A short text cannot contain the sentinel.
    const start = length > SENTINEL.length ? SENTINEL : "";
    return start + unit.repeat(Math.max(0, length - start.length));
  }

  #multipart(boundary: string, fields: readonly string[]): Buffer {
    const random = this.#random;
    const field = random.isTrueWithProbability(0.1)
      ? edgeCaseName(random).replace(/[^\w]/g, "")
      : random.pick(fields);
    const name = random.isTrueWithProbability(0.3)
      ? `${SENTINEL}${edgeCaseText(random).replace(/[^\x20-\x7e]/g, "x")}`
      : "a.png";
    const content = random.pick([
      PIXEL,
      PIXEL.subarray(0, random.below(PIXEL.length)),
      Buffer.alloc(0),
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><script>${SENTINEL}</script></svg>`),
      Buffer.from(repeatUpTo(random, 200, () => random.below(256))),
      HUGE_PICTURE,
      VIDEO_HEAD,
      VIDEO_HEAD.subarray(0, random.below(VIDEO_HEAD.length)),
    ]);
    const part = (fieldName: string, bytes: Buffer) =>
      Buffer.concat([
        Buffer.from(
          `--${boundary}\r\nContent-Disposition: form-data; name="${fieldName}"; filename="${name}"\r\n`,
        ),
        Buffer.from(`Content-Type: ${random.pick(["image/png", "text/html", "x", ""])}\r\n\r\n`),
        bytes,
        Buffer.from("\r\n"),
      ]);
    const parts = [part(field, content)];
    if (random.isTrueWithProbability(0.1)) parts.push(part(random.pick(fields), PIXEL));
    if (random.isTrueWithProbability(0.1))
      parts.unshift(
        Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="x"\r\n\r\n${SENTINEL}\r\n`),
      );
    const whole = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
    return random.isTrueWithProbability(0.15) ? whole.subarray(0, random.below(whole.length)) : whole;
  }

  #corruptHeaders(headers: [string, string][]): void {
    const random = this.#random;
    const indexOf = (name: string) => headers.findIndex(([header]) => header === name);
    const set = (name: string, value: string) => {
      const index = indexOf(name);
      if (index < 0) headers.push([name, value]);
      else headers[index] = [name, value];
    };
    const edgeCase = () => encodeTextOrBreak(random, edgeCaseText(random));
    const corruptions: (() => void)[] = [
      () => void headers.splice(indexOf("accessToken"), 1),
      () =>
        set(
          "accessToken",
          random.pick(["", "x", "%ff", "null", edgeCase(), "a.b.c", "x".repeat(5_000), SENTINEL]),
        ),
      () => headers.push(["accessToken", random.pick(this.#known.tokens)]),
      () =>
        set(
          "content-type",
          random.pick([
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
      () => headers.push(["content-encoding", random.pick(["gzip", "br", "identity", "deflate, gzip"])]),
      () =>
        headers.push([
          "accept-language",
          random.pick(["", "*", "zh-TW", "en;q=x", ",,,", "x".repeat(2_000), edgeCase()]),
        ]),
      () => headers.push(["accept-encoding", random.pick(["gzip", "br;q=0", "*"])]),
      () => headers.push(["origin", random.pick(["null", "https://evil.test", "x", ""])]),
      () => headers.push(["x-forwarded-for", random.pick(["1.2.3.4", "x, y", "::1", ",".repeat(500)])]),
      () => headers.push(["expect", random.pick(["100-continue", "200-ok"])]),
      () => headers.push(["range", "bytes=0-1,5-"]),
      () => headers.push(["if-none-match", "*"]),
      () => headers.push(["upgrade", random.pick(["h2c", "x"])]),
      () => headers.push(["transfer-encoding", random.pick(["chunked", "gzip", "chunked, identity"])]),
      () => headers.push(["content-length", random.pick(["0", "-1", "1", "99999999999", "x"])]),
      () => headers.push(["refreshToken", random.pick([SENTINEL, "", "%", random.pick(this.#known.tokens)])]),
      () => set("terminal", random.pick(["", "-1", "3", "9".repeat(30), "x", edgeCase()])),
      () => headers.push(["deviceNo", random.pick(["", "%ff", edgeCase(), "x".repeat(300)])]),
      () => headers.push(["clientId", random.pick(["", "%", edgeCase(), "x".repeat(65)])]),
      () => headers.push(["content-disposition", "__proto__"]),
      () => headers.push([random.pick(["__proto__", "constructor", "host"]), "x"]),
    ];
    for (let i = 0; i <= random.below(2); i++) random.pick(corruptions)();
  }
}

function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Encodes a text for a URL or header, sometimes with a broken end. */
function encodeTextOrBreak(random: Prng, text: string): string {
  const valid = encodeText(text);
  return random.isTrueWithProbability(0.2)
    ? `${valid}${random.pick(["%", "%f", "%ff", "%00", "%ed%a0%80", "+", ";", "#"])}`
    : valid;
}

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);
/** The same picture, but its header says that it is 60,000 pixels wide and high. */
const HUGE_PICTURE = Buffer.from(PIXEL);
HUGE_PICTURE.writeUInt32BE(60_000, 16);
HUGE_PICTURE.writeUInt32BE(60_000, 20);
/** The marks of an mp4 file, without a picture. */
const VIDEO_HEAD = Buffer.from("00000018667479706d703432000000006d70343269736f6d", "hex");
