/**
 * The minimal server with which uploads are compared: it writes the body of each request to the disk, durably, and answers. It keeps the
 * files, as the product does: memory of removed files would be there for the next one, and new memory costs much on a virtual machine.
 */
import { createWriteStream } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

const { PORT, HOST, DATA_DIR = "." } = process.env;
let files = 0;

const server = createServer((request, response) => {
  if (request.method !== "POST") return void response.end("ready");
  const file = join(DATA_DIR, `upload-${files++}`);
  pipeline(request, createWriteStream(file, { flush: true }))
    .then(() => response.end("stored"))
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
