import { type Api, createApi } from "../connection/api.ts";
import type { Failure } from "../model/state.ts";
import type { Ports } from "../ports.ts";
import type { Scope } from "../session-scope.ts";

/** The API of a session whose token stays valid. */
export function createSessionApi(
  ports: Ports,
  session: Scope,
  onFailure: (failure: Failure) => void = () => undefined,
): Api {
  return createApi(ports, {
    base: () => "",
    deviceNo: "d",
    clientId: "c",
    credentials: {
      scope: () => session,
      accessToken: () => "token",
      refresh: async () => "failed",
      onTokenRejected: () => undefined,
    },
    onFailure,
  });
}
