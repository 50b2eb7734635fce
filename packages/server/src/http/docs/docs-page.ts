/** The page that describes the API. It loads only its own stylesheet and runs no script. `docs/decisions/0036-own-api-page.md` says why it is ours. */
import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import type { Endpoint, UploadFiles } from "@parley/protocol/endpoint";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { OTHER_ROUTES } from "@parley/protocol/openapi";
import { PROTOCOL_VERSION } from "@parley/protocol/version";
import { type Html, code, html, table } from "./html-template.ts";
import { shapeOf } from "./schema-shape.ts";
import { envelopeSection, messageSection, socketSection } from "./wire-sections.ts";

const POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const MEBIBYTE = 1_048_576;

const AUTH: Readonly<Record<Endpoint["auth"], string>> = {
  token: "needs an access token",
  admin: "needs the access token of an administrator",
  optional: "works without an access token too, with limits",
  open: "open to everybody",
};

/** Adds the routes of the page and its stylesheet. */
export function serveDocsPage(server: FastifyInstance): void {
  const style = readFileSync(new URL("docs.css", import.meta.url), "utf8");
  // Bytes that all answers share, like those of the description.
  let page: Buffer | undefined;
  server.get("/api/docs", (_request, reply) =>
    reply
      .type("text/html; charset=utf-8")
      .headers({
        "content-security-policy": POLICY,
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cache-control": "no-cache",
      })
      .send((page ??= Buffer.from(renderPage().text))),
  );
  server.get("/api/docs.css", (_request, reply) =>
    reply
      .type("text/css; charset=utf-8")
      .headers({ "x-content-type-options": "nosniff", "cache-control": "no-cache" })
      .send(style),
  );
}

type Call = [name: string, endpoint: Endpoint];

function renderPage(): Html {
  // By the first part of the path. What has only one part is about the account.
  const groups = [
    ...Map.groupBy(Object.entries<Endpoint>(ENDPOINTS), ([, { path }]) => {
      const [, first = "", second] = path.split("/");
      return second === undefined ? "account" : first;
    }),
  ];
  const content = html`${envelopeSection()}${socketSection()}${messageSection()}
    <h2 id="calls">Calls</h2>
    ${groups.map(
      ([name, calls]) =>
        html`<h3>${name}</h3>
          ${calls.map(callArticle)}`,
    )}
    <h2 id="others">Other paths</h2>
    ${table(
      ["Path", "What it returns"],
      OTHER_ROUTES.map(({ path, summary }) => [code(`GET ${path}`), summary]),
    )}`;
  const chapters = [...content.text.matchAll(/<h[23] id="(\w+)">([^<]+)/g)];
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Parley API</title>
        <link rel="stylesheet" href="/api/docs.css" />
      </head>
      <body>
        <nav aria-label="Contents">
          <p><a href="#top">Parley API</a> <small>version ${PROTOCOL_VERSION}</small></p>
          <ul>
            ${chapters.map(([, id = "", name = ""]) => html`<li><a href="#${id}">${name}</a></li>`)}
          </ul>
          ${groups.map(
            ([name, calls]) =>
              html`<details>
                <summary>${name} <small>${calls.length}</small></summary>
                <ul>
                  ${calls.map(callLink)}
                </ul>
              </details>`,
          )}
        </nav>
        <main id="top">
          <h1>Parley API</h1>
          <p>
            Everything is on one origin: calls under <code>/api</code>, the socket at <code>/im</code>, files
            under <code>/files</code>. For programs: <a href="/api/openapi.json">openapi.json</a>.
          </p>
          <p>
            Log in with <code>POST /api/login</code>, send its accessToken as a header with every call, and
            exchange the refreshToken before it expires. An access token is valid for 30 minutes, a refresh
            token for 7 days and one exchange.
          </p>
          ${content}
        </main>
      </body>
    </html>`;
}

function callLink([name, { method, path }]: Call): Html {
  return html`<li>
    <a href="#${name}"><b class="${method}">${method}</b> ${path.slice(1)}</a>
  </li>`;
}

function callArticle([name, endpoint]: Call): Html {
  const { method, path, summary, auth, params, query, body, upload, answer } = endpoint;
  const parts = [
    ["Path", params && shapeOf(params)],
    ["Query", query && shapeOf(query)],
    ["Body", (body && shapeOf(body)) ?? (upload && filesText(upload))],
    ["Header", endpoint === ENDPOINTS.refreshToken ? "refreshToken: string" : undefined],
    ["Answer (data)", shapeOf(answer)],
  ] as const;
  return html`<article id="${name}">
    <h4><b class="${method}">${method}</b> <code>/api${path.replace(/:(\w+)/g, "{$1}")}</code></h4>
    <p>${summary}. <small>${AUTH[auth]}</small></p>
    ${parts.map(([part, shape]) =>
      shape === undefined
        ? html``
        : html`<small>${part}</small>
            <pre tabindex="0"><code>${shape}</code></pre>`,
    )}
  </article>`;
}

function filesText({ maxBytes, fields }: UploadFiles): string {
  const limit = maxBytes === null ? "upload.fileMax of /api/system/config" : `${maxBytes / MEBIBYTE} MiB`;
  const others = fields.filter((field) => field !== "file").map((field) => `, one in the field "${field}"`);
  return `multipart/form-data, one file in the field "file", at most ${limit}${others.join("")}`;
}
