import type { Http, HttpResponse, HttpRequest } from "@parley/core/ports";

/** HTTP with XMLHttpRequest, because `fetch` does not report upload progress. */
export const browserHttp: Http = {
  request: (request) =>
    request.outlivesPage === true ? requestBeyondPage(request) : requestWithProgress(request),
};

/** Only `fetch` can go on with a request after its page was closed. */
async function requestBeyondPage({ method, url, headers, body }: HttpRequest): Promise<HttpResponse> {
  try {
    const text = typeof body === "string" ? body : null;
    const answer = await fetch(url, { method, headers, body: text, keepalive: true });
    return { kind: "answer", status: answer.status, text: await answer.text(), retryAfterSeconds: null };
  } catch {
    return { kind: "failed", reason: "offline" };
  }
}

function requestWithProgress(request: HttpRequest): Promise<HttpResponse> {
  return new Promise((resolve) => {
    const xhr = new XMLHttpRequest();
    let timer: ReturnType<typeof setTimeout>;
    let isFinished = false;
    let stopWatching: () => void = () => undefined;
    const finish = (response: HttpResponse) => {
      if (isFinished) return;
      isFinished = true;
      clearTimeout(timer);
      stopWatching();
      resolve(response);
    };
    const restartTimer = () => {
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
        // Read the header only then: browsers log an error at each access if a server of another origin does not expose it.
        retryAfterSeconds:
          xhr.status === TOO_MANY_REQUESTS ? parseRetryAfter(xhr.getResponseHeader("retry-after")) : null,
        ...(request.wantsServerTime === true && { serverTime: parseDate(xhr.getResponseHeader("date")) }),
      }),
    );
    const fail = () => finish({ kind: "failed", reason: "offline" });
    xhr.addEventListener("error", fail);
    xhr.addEventListener("abort", fail);
    xhr.addEventListener("progress", restartTimer);
    // A listener on `upload` causes a preflight for other origins, so add it only for uploads.
    if (request.onProgress !== undefined || typeof request.body === "object") {
      xhr.upload.addEventListener("progress", (event) => {
        restartTimer();
        if (event.lengthComputable) request.onProgress?.(event.loaded, event.total);
      });
    }
    try {
      xhr.open(request.method, request.url);
      for (const [name, value] of Object.entries(request.headers)) xhr.setRequestHeader(name, value);
      restartTimer();
      xhr.send(bodyOf(request, xhr));
      // Aborting reports the failure.
      stopWatching = request.lifetime?.onEnd(() => xhr.abort()) ?? stopWatching;
    } catch {
      // The address is invalid, or the page's policy refuses it.
      fail();
    }
  });
}

function bodyOf(request: HttpRequest, xhr: XMLHttpRequest): string | FormData | null {
  const { body } = request;
  if (body === undefined) return null;
  if (typeof body === "string") {
    if (!Object.keys(request.headers).some((name) => name.toLowerCase() === "content-type")) {
      xhr.setRequestHeader("content-type", "application/json");
    }
    return body;
  }
  const form = new FormData();
  for (const { field, file, name } of body) {
    if (!(file instanceof Blob)) throw new TypeError("the file of an upload must be a Blob");
    form.append(field, file, name);
  }
  return form;
}

function parseDate(header: string | null): number | null {
  const time = Date.parse(header ?? "");
  return Number.isNaN(time) ? null : time;
}

const TOO_MANY_REQUESTS = 429;

/** Seconds of a Retry-After header in its number form; null for anything else. */
function parseRetryAfter(header: string | null): number | null {
  const seconds = Number(header);
  return header === null || header === "" || !Number.isFinite(seconds) ? null : seconds;
}
