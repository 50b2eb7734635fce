/**
 * A small S3 server for tests. It is as strict as the real ones where a client can go wrong: signatures, lengths, sizes of parts, ranges. It keeps
 * everything in memory.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import type { S3Settings } from "../adapters/blobs/s3-requests.ts";

const PART_MIN_BYTES = 5 * 1_048_576;
/** Less than clients ask for, as it is allowed. */
const PAGE_MAX = 400;
const SKEW_MAX_MS = 15 * 60_000;
/** Signs in tokens of pages that XML and URLs write in other ways. */
const TOKEN_END = `&"'\u{1F600}`;
const UNSIGNED = "UNSIGNED-PAYLOAD";

/**
 * What goes wrong with a request. `busy`: it is answered with 503. `full`: with 507. `refuse`: with 403. `silent`: it is never answered. `lose`: it is
 * done, and the connection is cut instead of an answer. `lateError`: the status is 200, and the error follows. `cutBody`: the connection is cut
 * while the request arrives. `unknown`: with 501. `forgotten`: with 404. `cutAnswer`: the connection is cut in the middle of the answer. `stall`: the second half of the answer never comes. `noRange`: the range is ignored.
 */
export type S3Fault =
  | "busy"
  | "full"
  | "unknown"
  | "forgotten"
  | "refuse"
  | "silent"
  | "lose"
  | "lateError"
  | "cutBody"
  | "cutAnswer"
  | "stall"
  | "noRange";

/** A request as faults and tests see it. */
export interface S3Request {
  /** Such as `PUT`, with the words `uploads`, `uploadId` and `list-type` of the query behind it. */
  kind: string;
  key: string;
}

/** A running server. */
export interface S3Server {
  settings: S3Settings;
  /** Objects by key. */
  objects: Map<string, Buffer>;
  /** Keys of objects, and of uploads that were begun and not ended. */
  contents(): string[];
  /** All requests so far whose signature was right. */
  requests: S3Request[];
  /** How many connections were opened so far. */
  connections: number;
  /** Asked for each request; replaced by tests. */
  fault: (request: S3Request) => S3Fault | undefined;
  /** Cuts all connections, and refuses others. */
  stop(): Promise<void>;
  /** Listens again at the same address. */
  start(): Promise<void>;
}

interface Multipart {
  key: string;
  parts: Map<number, Buffer>;
}

/** An answer that is an error. */
class Refusal extends Error {
  readonly status: number;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
  }
}

/** Starts a server with one empty bucket. */
export async function startS3Server(bucket = "parley-files"): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Multipart>();
  const sockets = new Set<Socket>();
  const settings: S3Settings = {
    endpoint: "",
    bucket,
    region: "test-region",
    accessKeyId: "TESTACCESSKEY",
    secretAccessKey: "test/secret+key",
  };
  const s3: S3Server = {
    settings,
    objects,
    contents: () => [...objects.keys(), ...[...uploads.values()].map(({ key }) => `${key} (unfinished)`)],
    requests: [],
    connections: 0,
    fault: () => undefined,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
    async start() {
      server.listen(Number(new URL(settings.endpoint).port), "127.0.0.1");
      await once(server, "listening");
    },
  };
  const server = createServer((request, response) => {
    request.on("error", () => undefined);
    void answer(s3, uploads, request, response).catch((error: unknown) => {
      if (request.socket.destroyed) return;
      const [status, code] = error instanceof Refusal ? [error.status, error.message] : [500, String(error)];
      const body = request.method === "HEAD" ? "" : `<Error><Code>${code}</Code></Error>`;
      response.writeHead(status, { "content-type": "application/xml", connection: "close" }).end(body);
    });
  });
  server.on("connection", (socket: Socket) => {
    s3.connections++;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  settings.endpoint = `http://127.0.0.1:${address.port}`;
  return s3;
}

async function answer(
  s3: S3Server,
  uploads: Map<string, Multipart>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams: query } = new URL(request.url ?? "", "http://s3");
  verify(request, pathname, query, s3.settings);
  const [, bucket = "", ...rest] = pathname.split("/");
  const key = decodeURIComponent(rest.join("/"));
  if (bucket !== s3.settings.bucket) throw new Refusal(404, "NoSuchBucket");
  const words = ["uploads", "uploadId", "list-type"].filter((word) => query.has(word));
  const described: S3Request = { kind: [request.method, ...words].join(" "), key };
  s3.requests.push(described);
  const fault = s3.fault(described);
  if (fault === "silent") return;
  if (fault === "refuse") throw new Refusal(403, "AccessDenied");
  if (fault === "cutBody") {
    await once(request, "data");
    request.socket.destroy();
    return;
  }
  const length = request.headers["content-length"];
  if (["PUT", "POST"].includes(request.method ?? "") && length === undefined)
    throw new Refusal(411, "MissingContentLength");
  const body = await buffer(request);
  if (fault === "busy") throw new Refusal(503, "SlowDown");
  if (fault === "forgotten") throw new Refusal(404, "NoSuchUpload");
  if (fault === "unknown") throw new Refusal(501, "NotImplemented");
  if (fault === "full") throw new Refusal(507, "XMinioStorageFull");
  if (fault === "lateError")
    return void response.writeHead(200).end("<Error><Code>InternalError</Code></Error>");
  const { status, headers, data } = perform({
    s3,
    uploads,
    described,
    query,
    body,
    headers: fault === "noRange" ? { ...request.headers, range: undefined } : request.headers,
  });
  if (fault === "lose") return void request.socket.destroy();
  response.writeHead(status, { "content-length": data.length, ...headers });
  if (fault === "stall") return void response.write(data.subarray(0, data.length / 2));
  if (fault !== "cutAnswer") return void response.end(request.method === "HEAD" ? undefined : data);
  response.write(data.subarray(0, data.length / 2), () => request.socket.destroy());
}

interface Work {
  s3: S3Server;
  uploads: Map<string, Multipart>;
  described: S3Request;
  query: URLSearchParams;
  body: Buffer;
  headers: IncomingMessage["headers"];
}

interface Answer {
  status: number;
  headers: Record<string, string | number>;
  data: Buffer;
}

function perform({ s3, uploads, described: { kind, key }, query, body, headers }: Work): Answer {
  const ok = (text = "", extra: Record<string, string> = {}) => ({
    status: 200,
    headers: extra,
    data: Buffer.from(text),
  });
  const uploadOf = (id: string | null) => {
    const upload = uploads.get(id ?? "");
    if (upload?.key !== key) throw new Refusal(404, "NoSuchUpload");
    return upload;
  };
  const id = query.get("uploadId");
  switch (kind) {
    case "PUT":
      s3.objects.set(key, body);
      return ok("", { etag: tagOf(body) });
    case "GET":
    case "HEAD":
      return readObject(s3.objects.get(key), headers);
    case "DELETE":
      s3.objects.delete(key);
      return { ...ok(), status: 204 };
    case "GET list-type":
      return ok(
        listing(
          [...s3.objects].toSorted(([a], [b]) => (a < b ? -1 : 1)),
          query,
        ),
      );
    case "GET uploads":
      return ok(
        `<ListMultipartUploadsResult>${[...uploads]
          .filter(([, upload]) => upload.key.startsWith(query.get("prefix") ?? ""))
          .map(
            ([number, upload]) => `<Upload><Key>${upload.key}</Key><UploadId>${number}</UploadId></Upload>`,
          )
          .join("")}</ListMultipartUploadsResult>`,
      );
    case "POST uploads": {
      const begun = `upload-${s3.requests.length}`;
      uploads.set(begun, { key, parts: new Map() });
      return ok(
        `<InitiateMultipartUploadResult><UploadId>${begun}</UploadId></InitiateMultipartUploadResult>`,
      );
    }
    case "PUT uploadId":
      uploadOf(id).parts.set(Number(query.get("partNumber")), body);
      return ok("", { etag: tagOf(body) });
    case "POST uploadId": {
      const data = assemble(uploadOf(id), body.toString());
      uploads.delete(id ?? "");
      s3.objects.set(key, data);
      const tag = tagOf(data).replaceAll('"', "&quot;");
      return ok(`<CompleteMultipartUploadResult><ETag>${tag}</ETag></CompleteMultipartUploadResult>`);
    }
    case "DELETE uploadId":
      uploadOf(id);
      uploads.delete(id ?? "");
      return { ...ok(), status: 204 };
    default:
      throw new Refusal(501, "NotImplemented");
  }
}

function readObject(data: Buffer | undefined, headers: IncomingMessage["headers"]): Answer {
  if (data === undefined) throw new Refusal(404, "NoSuchKey");
  const etag = tagOf(data);
  if ((headers["if-match"] ?? etag) !== etag) throw new Refusal(412, "PreconditionFailed");
  const match = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? "");
  if (match === null) return { status: 200, headers: { etag }, data };
  const start = Number(match[1]);
  const end = Math.min(match[2] ? Number(match[2]) : Infinity, data.length - 1);
  if (start >= data.length) throw new Refusal(416, "InvalidRange");
  const range = `bytes ${start}-${end}/${data.length}`;
  return { status: 206, headers: { etag, "content-range": range }, data: data.subarray(start, end + 1) };
}

function listing(sorted: readonly [string, Buffer][], query: URLSearchParams): string {
  const token = query.get("continuation-token") ?? `0${TOKEN_END}`;
  if (!token.endsWith(TOKEN_END)) throw new Refusal(400, "InvalidArgument");
  const start = Number.parseInt(token, 10);
  const end = start + Math.min(PAGE_MAX, Number(query.get("max-keys")));
  const rows = sorted
    .slice(start, end)
    .map(([key, { length }]) => `<Contents><Key>${key}</Key><Size>${length}</Size></Contents>`);
  const next =
    sorted.length > end
      ? `<NextContinuationToken>${end}&amp;&quot;&#39;&#x1F600;</NextContinuationToken>`
      : "";
  return `<ListBucketResult><IsTruncated>${next !== ""}</IsTruncated>${rows.join("")}${next}</ListBucketResult>`;
}

/** The parts that the body of the last request names, in their order. All but the last must be large, and all of them the same. */
function assemble({ parts }: Multipart, body: string): Buffer {
  const named = [...body.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>(\w+)<\/ETag>/g)];
  const chosen = named.map(([, number, tag], index) => {
    const part = parts.get(Number(number));
    if (part === undefined || tagOf(part) !== `"${tag}"`) throw new Refusal(400, "InvalidPart");
    if (Number(number) !== index + 1) throw new Refusal(400, "InvalidPartOrder");
    return part;
  });
  for (const part of chosen.slice(0, -1)) {
    if (part.length < PART_MIN_BYTES) throw new Refusal(400, "EntityTooSmall");
    if (part.length !== chosen[0]?.length) throw new Refusal(400, "InvalidPart");
  }
  if (chosen.length === 0) throw new Refusal(400, "MalformedXML");
  return Buffer.concat(chosen);
}

function tagOf(data: Buffer): string {
  return `"${createHash("md5").update(data).digest("hex")}"`;
}

/** Throws unless the request is signed by the key of the settings: AWS Signature Version 4, as its specification says. */
function verify(
  { method, headers }: IncomingMessage,
  path: string,
  query: URLSearchParams,
  { region, accessKeyId, secretAccessKey }: S3Settings,
): void {
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? "",
    );
  if (match === null) throw new Refusal(403, "AccessDenied");
  const [, account, day = "", place, names = "", signature = ""] = match;
  if (account !== accessKeyId) throw new Refusal(403, "InvalidAccessKeyId");
  if (place !== region) throw new Refusal(400, "AuthorizationHeaderMalformed");
  const signed = names.split(";");
  const mustBeSigned = ["host", ...Object.keys(headers).filter((name) => name.startsWith("x-amz-"))];
  if (!mustBeSigned.every((name) => signed.includes(name))) throw new Refusal(403, "AccessDenied");
  const time = String(headers["x-amz-date"]);
  const [, date, clock] = /^(\d{8})T(\d{6})Z$/.exec(time) ?? [];
  const moment = Date.parse(
    `${date}T${clock}Z`.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z"),
  );
  if (date !== day || !(Math.abs(Date.now() - moment) < SKEW_MAX_MS))
    throw new Refusal(403, "RequestTimeTooSkewed");
  if (headers["x-amz-content-sha256"] !== UNSIGNED) throw new Refusal(400, "XAmzContentSHA256Mismatch");

  const encoded = (text: string) =>
    encodeURIComponent(text).replace(
      /[!'()*]/g,
      (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  const parameters = [...query].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).toSorted();
  const canonical = [
    method,
    path,
    parameters.join("&"),
    ...signed.map((name) => `${name}:${String(headers[name]).trim()}`),
    "",
    names,
    UNSIGNED,
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const digest = createHash("sha256").update(canonical).digest("hex");
  const key = [day, region, "s3", "aws4_request"].reduce<Buffer | string>(
    (previous, part) => createHmac("sha256", previous).update(part).digest(),
    `AWS4${secretAccessKey}`,
  );
  const expected = createHmac("sha256", key)
    .update(`AWS4-HMAC-SHA256\n${time}\n${scope}\n${digest}`)
    .digest();
  if (!timingSafeEqual(expected, Buffer.from(signature, "hex")))
    throw new Refusal(403, "SignatureDoesNotMatch");
}
