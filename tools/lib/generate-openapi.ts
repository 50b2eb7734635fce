import { join } from "node:path";
import { openApiDocument } from "@parley/protocol/openapi";
import { repository } from "./files.ts";

/** The committed description of the HTTP API, and what it must say. */
export function generateOpenApi(): { file: string; text: string } {
  return {
    file: join(repository, "docs/api/openapi.json"),
    text: `${JSON.stringify(openApiDocument(), null, 2)}\n`,
  };
}
