/** The page that describes the API. It loads only its own stylesheet and runs no script. */
import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { PROTOCOL_VERSION } from "@parley/protocol/version";
import { endpointIndex, endpointSection, groupEndpoints, otherRoutes } from "./endpoint-sections.ts";
import { type Html, html } from "./html-template.ts";
import { envelopeSection, messageSection, socketSection } from "./wire-sections.ts";

const POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const CHAPTERS = [
  ["envelope", "Answers"],
  ["errors", "Errors"],
  ["headers", "Headers"],
  ["socket", "The socket"],
  ["messages", "Messages"],
  ["kinds", "Message kinds"],
  ["limits", "Limits and times"],
  ["calls", "Calls"],
  ["others", "Other paths"],
] as const;

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

function renderPage(): Html {
  const groups = groupEndpoints();
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
            ${CHAPTERS.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}
          </ul>
          ${groups.map(endpointIndex)}
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
          ${envelopeSection()}${socketSection()}${messageSection()}
          <h2 id="calls">Calls</h2>
          ${groups.map(endpointSection)}
          <h2 id="others">Other paths</h2>
          ${otherRoutes()}
        </main>
      </body>
    </html>`;
}
