import { type CreateRoom, createRoom as createWith } from "@parley/core/runtime/room";
import { loadChunk } from "../kit/load-chunk.ts";

const load = () => loadChunk(() => import("@parley/core/runtime/late-parts").then((part) => part.LATE_PARTS));

/** The room of a browser: what people do now and then comes when it is first done. */
export const createRoom: CreateRoom = (deps) => createWith({ ...deps, late: { load } });
