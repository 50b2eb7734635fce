import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { savedChange, savedMessage, savedWords } from "../saved-message.ts";
import { id, idParam } from "../text.ts";

export const setSaved = endpoint({
  method: "PUT",
  path: "/message/saved",
  auth: "token",
  summary:
    "Save a message that I see for myself, with a note and tags, or change these; on all my terminals, again is the same",
  body: z.object({ id: id(), ...savedWords }),
  answer: savedMessage,
});

export const removeSaved = endpoint({
  method: "DELETE",
  path: "/message/saved/:id",
  auth: "token",
  summary: "Remove a message from those that I have saved, whether it is saved or not",
  params: z.object({ id: idParam() }),
  answer: savedChange,
});

export const listSaved = endpoint({
  method: "GET",
  path: "/message/saved",
  auth: "token",
  summary: "The messages that I have saved, the one that changed last first",
  query: z.object({
    /** `next` of the page before. */
    before: z.optional(idParam()),
  }),
  answer: z.object({
    entries: z.array(savedMessage),
    /** Null: this was the last page. */
    next: z.nullable(id()),
  }),
});
