import { type CreateSignedInClient, createSignedInClient as createWith } from "@parley/core/signed-in-client";
import { loadChunk } from "../kit/load-chunk.ts";

const load = () => loadChunk(() => import("@parley/core/lazy-modules").then((module) => module.LAZY_MODULES));

/** Creates the session scope of the web client. The code of rare actions is loaded at their first use. */
export const createSessionScope: CreateSignedInClient = (deps) => createWith({ ...deps, lazy: { load } });
