/** The minimal server with which uploads are compared: it writes the body of each request to the disk, durably, and answers. */
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

const { PORT, HOST, DATA_DIR = "." } = process.env;
let files = 0;

const server = createServer((request, response) => {
  if (request.method !== "POST") return void response.end("ready");
  const file = join(DATA_DIR, `upload-${files++}`);
  pipeline(request, createWriteStream(file, { flush: true }))
    .then(() => {
      response.end("stored");
      return rm(file);
    })
    .catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
});

server.listen(Number(PORT), HOST);
process.on("SIGTERM", () => {
  server.closeAllConnections();
  server.close();
});
