import { type CreateSignedInClient, createSignedInClient as createWith } from "@parley/core/signed-in-client";
import { loadChunk } from "../kit/load-chunk.ts";

const load = () => loadChunk(() => import("@parley/core/lazy-modules").then((module) => module.LAZY_MODULES));

/** Creates the client of one session. The code of rare actions is loaded at their first use. */
export const createSignedInClient: CreateSignedInClient = (deps) => createWith({ ...deps, lazy: { load } });
