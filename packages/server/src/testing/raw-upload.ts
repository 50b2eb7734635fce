/** Sends multipart bodies piece by piece, so that a test can pause, break or never end them. */
import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Envelope } from "@parley/protocol/envelope";
import type { TestPerson } from "./test-person.ts";

const BOUNDARY = "----test-boundary";

/** The beginning of a part with a file. */
export function partHead(field = "file", name = "a.bin"): string {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\n\r\n`;
}

/** What ends the last part and the body. */
export const BODY_END = `\r\n--${BOUNDARY}--\r\n`;

/** A whole body with one file. */
export function bodyOf(file: Buffer, field?: string, name?: string): Buffer {
  return Buffer.concat([Buffer.from(partHead(field, name)), file, Buffer.from(BODY_END)]);
}

/** An answer, which may arrive before the whole body was sent. */
export interface UploadAnswer {
  status: number;
  envelope: Envelope;
  headers: IncomingMessage["headers"];
}

/** A running upload. */
export interface RawUpload {
  request: ClientRequest;
  /** Sends more of the body. Resolves when there is room for more, or the connection has ended. */
  write(data: Buffer | string): Promise<void>;
  end(): void;
  /** Rejects if the connection ends before a whole answer. */
  answer: Promise<UploadAnswer>;
}

/** Starts an upload; without a length in the headers it is chunked. */
export function startUpload(
  person: TestPerson | string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): RawUpload {
  const url = typeof person === "string" ? person : person.url;
  const token = typeof person === "string" ? {} : { accessToken: person.tokens.accessToken };
  const outgoing = (url.startsWith("https:") ? requestHttps : requestHttp)(`${url}/api${path}`, {
    method: "POST",
    agent: false,
    headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}`, ...token, ...headers },
  });
  const answer = new Promise<UploadAnswer>((resolve, reject) => {
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          envelope: JSON.parse(text) as Envelope,
          headers: response.headers,
        }),
      );
    });
  });
  // A test that breaks the connection does not wait for the answer.
  answer.catch(() => undefined);
  return {
    request: outgoing,
    answer,
    end: () => void outgoing.end(),
    write: (data) =>
      new Promise((resolve) => {
        if (outgoing.destroyed || outgoing.write(data)) return resolve();
        const goOn = () => {
          outgoing.off("drain", goOn).off("close", goOn);
          resolve();
        };
        outgoing.on("drain", goOn).on("close", goOn);
      }),
  };
}

/** Uploads a file as one body with its length. */
export async function uploadRaw(
  person: TestPerson | string,
  path: string,
  body: Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<UploadAnswer> {
  const upload = startUpload(person, path, { "content-length": String(body.length), ...headers });
  upload.request.end(body);
  return upload.answer;
}
