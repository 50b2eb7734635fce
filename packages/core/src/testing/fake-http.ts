import type { Http, HttpResponse, HttpRequest } from "../ports.ts";

/** One request on its way. */
export interface HttpExchange {
  readonly request: HttpRequest;
  /** What the server said, once it was asked. */
  answer: HttpResponse | null;
  resolve(answer: HttpResponse): void;
}

/** The JSON body of a request, read. */
export function bodyOf(request: HttpRequest | undefined): unknown {
  return typeof request?.body === "string" ? JSON.parse(request.body) : null;
}

/** HTTP whose requests wait until a test, or a world, moves them. */
export interface FakeHttp extends Http {
  readonly waiting: HttpExchange[];
  /** Answers the first waiting request whose url holds `part` with an envelope. */
  reply(part: string, data: unknown, code?: number): HttpRequest;
  /** Answers it with anything. */
  replyRaw(part: string, answer: HttpResponse): HttpRequest;
  /** Ends this exchange, however. */
  finish(exchange: HttpExchange, answer: HttpResponse): void;
}

const HTTP_OK = 200;

function envelope(data: unknown, code = HTTP_OK, message = ""): HttpResponse {
  const text = JSON.stringify({ code, message, data });
  return { kind: "answer", status: HTTP_OK, text, retryAfterSeconds: null };
}

export function createFakeHttp(): FakeHttp {
  const waiting: HttpExchange[] = [];
  const http: FakeHttp = {
    waiting,
    request: (request) =>
      new Promise((resolve) => {
        waiting.push({ request, answer: null, resolve });
      }),
    finish(exchange, answer) {
      const index = waiting.indexOf(exchange);
      if (index >= 0) waiting.splice(index, 1);
      exchange.resolve(answer);
    },
    reply: (part, data, code) => http.replyRaw(part, envelope(data, code)),
    replyRaw(part, answer) {
      const found = waiting.find((exchange) => exchange.request.url.includes(part));
      if (found === undefined) {
        const urls = waiting.map((exchange) => exchange.request.url).join(", ");
        throw new Error(`no request for ${part} waits, only: ${urls}`);
      }
      http.finish(found, answer);
      return found.request;
    },
  };
  return http;
}
