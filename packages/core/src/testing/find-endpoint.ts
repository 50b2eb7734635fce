import type { Endpoint } from "@parley/protocol/endpoint";
import { ENDPOINTS, type EndpointName } from "@parley/protocol/endpoints/all";
import type { HttpRequest } from "../ports.ts";

interface Route {
  readonly name: EndpointName;
  readonly endpoint: Endpoint;
  readonly parts: readonly string[];
  readonly paramCount: number;
}

/** By method and number of parts, because comparing each request with every path took 6 % of a scenario. */
const ROUTES = Map.groupBy(
  Object.entries<Endpoint>(ENDPOINTS)
    .map(([name, endpoint]): Route => {
      const parts = endpoint.path.split("/");
      const paramCount = parts.filter((part) => part.startsWith(":")).length;
      return { name: name as EndpointName, endpoint, parts, paramCount };
    })
    // Paths with fewer parameters come first, as in the router of the server.
    .sort((a, b) => a.paramCount - b.paramCount),
  ({ endpoint, parts }) => `${endpoint.method} ${parts.length}`,
);

/** The endpoint that a client calls, and what its request says in the URL; undefined if there is none. */
export function findEndpoint({ method, url }: HttpRequest) {
  const [path = "", search = ""] = url.replace(/^https?:\/\/[^/]+\/api/, "").split("?");
  const parts = path.split("/");
  const route = ROUTES.get(`${method} ${parts.length}`)?.find((candidate) =>
    candidate.parts.every((part, i) => part.startsWith(":") || part === parts[i]),
  );
  if (route === undefined) return undefined;
  const params: Record<string, string> = {};
  route.parts.forEach((part, i) => {
    if (part.startsWith(":")) params[part.slice(1)] = decodeURIComponent(parts[i] ?? "");
  });
  const pairs = search === "" ? [] : search.split("&").map((pair) => pair.split("=").map(decodeURIComponent));
  const query = Object.fromEntries(pairs) as Record<string, string>;
  return { name: route.name, endpoint: route.endpoint, params, query };
}
