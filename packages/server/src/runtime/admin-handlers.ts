/** The HTTP side of the calls for administrators. */
import type { Endpoint } from "@parley/protocol/endpoint";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import type { AdminEndpointName } from "../api/admin-act.ts";
import type { Actor, ApiCall, Handlers } from "../api/api-call.ts";
import type { AdminCalls } from "../modules/administration/admin-calls.ts";

/** The names of all calls for which one must be an administrator. */
export const ADMIN_ENDPOINTS = Object.entries<Endpoint>(ENDPOINTS).flatMap(([name, { auth }]) =>
  auth === "admin" ? (name as AdminEndpointName) : [],
);

/** A handler for each of them. Whether the actor is an administrator was checked before. */
export function createAdminHandlers(calls: AdminCalls): Pick<Handlers, AdminEndpointName> {
  const handlerOf =
    (name: AdminEndpointName) =>
    ({ actor, ip, query, body }: ApiCall<unknown, unknown, unknown, Actor>) =>
      calls.perform(name, { actorId: actor.userId, address: ip }, { query, body } as never);
  return Object.fromEntries(ADMIN_ENDPOINTS.map((name) => [name, handlerOf(name)])) as unknown as Pick<
    Handlers,
    AdminEndpointName
  >;
}
