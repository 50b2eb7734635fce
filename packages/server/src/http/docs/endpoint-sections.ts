/** The HTTP calls, grouped by the first segment of their paths. */
import type { Endpoint, UploadFiles } from "@parley/protocol/endpoint";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { OTHER_ROUTES } from "@parley/protocol/openapi";
import { type Html, code, html, table } from "./html-template.ts";
import { fieldsOf, shapeOf } from "./schema-shape.ts";

const MEBIBYTE = 1_048_576;

const AUTH: Readonly<Record<Endpoint["auth"], string>> = {
  token: "needs an access token",
  admin: "needs the access token of an administrator",
  optional: "works without an access token too, with limits",
  open: "open to everybody",
};

/** The group of calls whose path has only one segment. */
const ACCOUNT = "account";

interface Group {
  name: string;
  calls: [name: string, endpoint: Endpoint][];
}

/** All endpoints by group, in the order of their definitions. */
export function groupEndpoints(): Group[] {
  const groups = new Map<string, Group>();
  for (const [name, endpoint] of Object.entries<Endpoint>(ENDPOINTS)) {
    const segments = endpoint.path.split("/").slice(1);
    const groupName = segments.length === 1 ? ACCOUNT : (segments[0] ?? ACCOUNT);
    const group = groups.get(groupName) ?? { name: groupName, calls: [] };
    group.calls.push([name, endpoint]);
    groups.set(groupName, group);
  }
  return [...groups.values()];
}

/** The full path with `{id}` for `:id`. */
function pathOf({ path }: Endpoint): string {
  return `/api${path.replace(/:(\w+)/g, "{$1}")}`;
}

/** The links to the calls of a group. */
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

/** The descriptions of the calls of a group. */
export function endpointSection({ name, calls }: Group): Html {
  return html`<section>
    <h3 id="group-${name}">${name}</h3>
    ${calls.map(([id, endpoint]) => endpointArticle(id, endpoint))}
  </section>`;
}

function endpointArticle(id: string, endpoint: Endpoint): Html {
  const parts = [
    ...(endpoint.params ? [fieldsEntry("Path", endpoint.params)] : []),
    ...(endpoint.query ? [fieldsEntry("Query", endpoint.query)] : []),
    ...(endpoint.body ? [shapeEntry("Body", shapeOf(endpoint.body))] : []),
    ...(endpoint.upload ? [shapeEntry("Body", filesText(endpoint.upload))] : []),
    ...(endpoint === ENDPOINTS.refreshToken ? [shapeEntry("Header", "refreshToken: string")] : []),
  ];
  return html`<article id="${id}">
    <h4><b class="${endpoint.method}">${endpoint.method}</b> <code>${pathOf(endpoint)}</code></h4>
    <p>${endpoint.summary}. <small>${AUTH[endpoint.auth]}</small></p>
    <dl>${parts}${shapeEntry("Answer (data)", shapeOf(endpoint.answer))}</dl>
  </article>`;
}

function filesText({ maxBytes, fields }: UploadFiles): string {
  const limit = maxBytes === null ? "upload.fileMax of /api/system/config" : `${maxBytes / MEBIBYTE} MiB`;
  const others = fields.filter((field) => field !== "file").map((field) => `, one in the field "${field}"`);
  return `multipart/form-data, one file in the field "file", at most ${limit}${others.join("")}`;
}

function shapeEntry(name: string, text: string): Html {
  return html`<dt>${name}</dt>
    <dd>
      <pre tabindex="0"><code>${text}</code></pre>
    </dd>`;
}

function fieldsEntry(name: string, schema: NonNullable<Endpoint["query"]>): Html {
  const lines = fieldsOf(schema).map(
    (field) => `${field.name}${field.isRequired || name === "Path" ? "" : "?"}: ${field.shape}`,
  );
  return shapeEntry(name, lines.join("\n"));
}

/** The table of routes that are no calls. */
export function otherRoutes(): Html {
  return table(
    ["Path", "What it returns"],
    OTHER_ROUTES.map(({ path, summary }) => [code(`GET ${path}`), summary]),
  );
}
