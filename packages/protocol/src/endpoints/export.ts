/** A copy of a person's own data. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { anyText } from "../text.ts";

/** The url is below the origin of the server. It works once and for a minute, without a token. */
export const exportData = endpoint({
  method: "POST",
  path: "/user/export",
  auth: "token",
  summary: "A link to download my data as an archive",
  writes: false,
  answer: z.object({ url: anyText() }),
});
