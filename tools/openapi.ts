// Prints the HTTP API into docs/api/openapi.json. Run it after each change of an endpoint; a test notices when it was forgotten.
import { writeFileSync } from "node:fs";
import { generateOpenApi } from "./lib/generate-openapi.ts";

const { file, text } = generateOpenApi();
writeFileSync(file, text);
