// Writes the description of the HTTP API to docs/api/openapi.json. Run it after each change of an endpoint; a test fails if you forget it.
import { writeFileSync } from "node:fs";
import { generateOpenApi } from "./lib/generate-openapi.ts";

const { file, text } = generateOpenApi();
writeFileSync(file, text);
