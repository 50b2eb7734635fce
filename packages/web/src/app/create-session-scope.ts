import { type CreateSignedInClient, createSignedInClient as createWith } from "@parley/core/session-scope";
import { loadChunk } from "../kit/load-chunk.ts";

const load = () => loadChunk(() => import("@parley/core/lazy-modules").then((part) => part.LAZY_MODULES));

/** The room of a browser: what people do now and then comes when it is first done. */
export const createSessionScope: CreateSignedInClient = (deps) => createWith({ ...deps, lazy: { load } });
