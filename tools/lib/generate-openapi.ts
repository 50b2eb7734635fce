import { join } from "node:path";
import { openApiDocument } from "@parley/protocol/openapi";
import { repository } from "./files.ts";

/** The path of the committed description of the HTTP API, and the text that it must have. */
export function generateOpenApi(): { file: string; text: string } {
  return {
    file: join(repository, "docs/api/openapi.json"),
    text: `${JSON.stringify(openApiDocument(), null, 2)}\n`,
  };
}
