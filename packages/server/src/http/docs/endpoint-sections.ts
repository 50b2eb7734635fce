/** The HTTP calls, grouped by what their paths begin with. */
import type { Endpoint } from "@parley/protocol/endpoint";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { OTHER_ROUTES } from "@parley/protocol/openapi";
import { type Html, code, html, table } from "./html-template.ts";
import { fieldsOf, shapeOf } from "./schema-shape.ts";

const MEBIBYTE = 1_048_576;

const AUTH: Readonly<Record<Endpoint["auth"], string>> = {
  token: "needs an access token",
  optional: "with an access token, or without one in a narrower way",
  open: "open to everybody",
};

/** Paths whose first word is a call of its own. */
const ACCOUNT = "account";

interface Group {
  name: string;
  calls: [name: string, endpoint: Endpoint][];
}

export function groupEndpoints(): Group[] {
  const groups = new Map<string, Group>();
  for (const [name, endpoint] of Object.entries<Endpoint>(ENDPOINTS)) {
    const words = endpoint.path.split("/").slice(1);
    const group = words.length === 1 ? ACCOUNT : (words[0] ?? ACCOUNT);
    const known = groups.get(group) ?? { name: group, calls: [] };
    known.calls.push([name, endpoint]);
    groups.set(group, known);
  }
  return [...groups.values()];
}

/** `:id` as people write it. */
function pathOf({ path }: Endpoint): string {
  return `/api${path.replace(/:(\w+)/g, "{$1}")}`;
}

export function endpointIndex({ name, calls }: Group): Html {
  return html`<details>
    <summary>${name} <small>${calls.length}</small></summary>
    <ul>
      ${calls.map(
        ([id, endpoint]) =>
          html`<li>
            <a href="#${id}"
              ><b class="${endpoint.method}">${endpoint.method}</b> ${endpoint.path.slice(1)}</a
            >
          </li>`,
      )}
    </ul>
  </details>`;
}

export function endpointSection({ name, calls }: Group): Html {
  return html`<section>
    <h3 id="group-${name}">${name}</h3>
    ${calls.map(([id, endpoint]) => call(id, endpoint))}
  </section>`;
}

function call(id: string, endpoint: Endpoint): Html {
  const parts = [
    ...(endpoint.params ? [fields("Path", endpoint.params)] : []),
    ...(endpoint.query ? [fields("Query", endpoint.query)] : []),
    ...(endpoint.body ? [shape("Body", shapeOf(endpoint.body))] : []),
    ...(endpoint.upload
      ? [
          shape(
            "Body",
            `multipart/form-data, one file in the field "file", at most ${endpoint.upload.maxBytes / MEBIBYTE} MiB`,
          ),
        ]
      : []),
    ...(endpoint === ENDPOINTS.refreshToken ? [shape("Header", "refreshToken: string")] : []),
  ];
  return html`<article id="${id}">
    <h4><b class="${endpoint.method}">${endpoint.method}</b> <code>${pathOf(endpoint)}</code></h4>
    <p>${endpoint.summary}. <small>${AUTH[endpoint.auth]}</small></p>
    <dl>${parts}${shape("Answer (data)", shapeOf(endpoint.answer))}</dl>
  </article>`;
}

function shape(name: string, text: string): Html {
  return html`<dt>${name}</dt>
    <dd>
      <pre tabindex="0"><code>${text}</code></pre>
    </dd>`;
}

function fields(name: string, schema: NonNullable<Endpoint["query"]>): Html {
  const lines = fieldsOf(schema).map(
    (field) => `${field.name}${field.isRequired || name === "Path" ? "" : "?"}: ${field.shape}`,
  );
  return shape(name, lines.join("\n"));
}

export function otherRoutes(): Html {
  return table(
    ["Address", "What it answers"],
    OTHER_ROUTES.map(({ path, summary }) => [code(`GET ${path}`), summary]),
  );
}
