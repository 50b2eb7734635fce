import type { Http, HttpResponse, HttpRequest } from "../ports.ts";

/** A pending request. */
export interface HttpExchange {
  readonly request: HttpRequest;
  /** The server's answer, once the request has reached it. */
  answer: HttpResponse | null;
  resolve(answer: HttpResponse): void;
}

/** The parsed JSON body of a request. */
export function bodyOf(request: HttpRequest | undefined): unknown {
  return typeof request?.body === "string" ? JSON.parse(request.body) : null;
}

/** HTTP whose requests wait until a test or a scenario answers them. */
export interface FakeHttp extends Http {
  readonly waiting: HttpExchange[];
  /** Whether the server knows the call for the first chats. Without it, it answers like an older one at once, which few tests are about. */
  hasFirstChats: boolean;
  /** Answers the first waiting request whose url contains `part` with an envelope. */
  reply(part: string, data: unknown, code?: number): HttpRequest;
  /** Answers the first waiting request whose url contains `part` with any response. */
  replyRaw(part: string, answer: HttpResponse): HttpRequest;
  /** Ends an exchange with this response. */
  finish(exchange: HttpExchange, answer: HttpResponse): void;
}

const HTTP_OK = 200;

const NOT_FOUND: HttpResponse = { kind: "answer", status: 404, text: "", retryAfterSeconds: null };

function envelope(data: unknown, code = HTTP_OK, message = ""): HttpResponse {
  const text = JSON.stringify({ code, message, data });
  return { kind: "answer", status: HTTP_OK, text, retryAfterSeconds: null };
}

/** Creates HTTP without requests. */
export function createFakeHttp(): FakeHttp {
  const waiting: HttpExchange[] = [];
  const http: FakeHttp = {
    waiting,
    hasFirstChats: false,
    request: (request) =>
      new Promise((resolve) => {
        if (!http.hasFirstChats && request.url.includes("/chats/first")) return resolve(NOT_FOUND);
        const exchange: HttpExchange = { request, answer: null, resolve };
        waiting.push(exchange);
        request.lifetime?.onEnd(() => http.finish(exchange, { kind: "failed", reason: "offline" }));
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
        throw new Error(`no request for ${part} is waiting, only: ${urls}`);
      }
      http.finish(found, answer);
      return found.request;
    },
  };
  return http;
}
