import type { Http, HttpResponse, HttpRequest } from "@parley/core/ports";

/** XMLHttpRequest, since `fetch` tells no upload progress. */
export const browserHttp: Http = {
  request: (request) =>
    new Promise((resolve) => {
      const xhr = new XMLHttpRequest();
      let timer: ReturnType<typeof setTimeout>;
      let isDone = false;
      const finish = (answer: HttpResponse) => {
        if (isDone) return;
        isDone = true;
        clearTimeout(timer);
        resolve(answer);
      };
      const isAlive = () => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          finish({ kind: "failed", reason: "timeout" });
          xhr.abort();
        }, request.timeoutMs);
      };
      xhr.addEventListener("load", () =>
        finish({
          kind: "answer",
          status: xhr.status,
          text: xhr.responseText,
          // Only then: a server elsewhere that does not show this header makes browsers complain of each look at it.
          retryAfterSeconds:
            xhr.status === TOO_MANY ? retryAfter(xhr.getResponseHeader("retry-after")) : null,
        }),
      );
      const fail = () => finish({ kind: "failed", reason: "offline" });
      xhr.addEventListener("error", fail);
      xhr.addEventListener("abort", fail);
      xhr.addEventListener("progress", isAlive);
      // A listener on `upload` makes a request to another origin a preflighted one; only uploads want it.
      if (request.onProgress !== undefined || typeof request.body === "object") {
        xhr.upload.addEventListener("progress", (event) => {
          isAlive();
          if (event.lengthComputable) request.onProgress?.(event.loaded, event.total);
        });
      }
      try {
        xhr.open(request.method, request.url);
        for (const [name, value] of Object.entries(request.headers)) xhr.setRequestHeader(name, value);
        isAlive();
        xhr.send(bodyOf(request, xhr));
      } catch {
        // An address that is none, or one the page's policy refuses.
        fail();
      }
    }),
};

function bodyOf(request: HttpRequest, xhr: XMLHttpRequest): string | FormData | null {
  const { body } = request;
  if (body === undefined) return null;
  if (typeof body === "string") {
    if (!Object.keys(request.headers).some((name) => name.toLowerCase() === "content-type")) {
      xhr.setRequestHeader("content-type", "application/json");
    }
    return body;
  }
  if (!(body.file instanceof Blob)) throw new TypeError("in a browser a file is a Blob");
  const form = new FormData();
  form.append("file", body.file, body.name);
  return form;
}

const TOO_MANY = 429;

/** Seconds of a Retry-After header in its number form; null for anything else. */
function retryAfter(header: string | null): number | null {
  const seconds = Number(header);
  return header === null || header === "" || !Number.isFinite(seconds) ? null : seconds;
}
