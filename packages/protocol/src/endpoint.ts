import type * as z from "zod/mini";

type Schema = z.ZodMiniType;

/** One HTTP call. The server makes its route, the client its requests, and the API page its text from this definition. */
export interface Endpoint<
  P extends Schema | undefined = Schema | undefined,
  Q extends Schema | undefined = Schema | undefined,
  B extends Schema | undefined = Schema | undefined,
  A extends Schema = Schema,
> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below `/api`; parameters as `:id`. */
  readonly path: string;
  /**
   * `token`: needs an access token. `admin`: needs one of an administrator. `open`: needs none. `optional`: works without one, but with limits
   * (the avatar of a registration).
   */
  readonly auth: "token" | "admin" | "open" | "optional";
  readonly summary: string;
  /** Whether it changes anything. Left out, every method but GET does. Ask `isWriting`. */
  readonly writes?: boolean;
  readonly params?: P;
  readonly query?: Q;
  /** JSON body. */
  readonly body?: B;
  /** The call takes multipart files instead of a JSON body. */
  readonly upload?: UploadFiles;
  /** The schema of `data` on success. */
  readonly answer: A;
}

/** The files of a multipart body. */
export interface UploadFiles {
  /** The limit of the field `file`; null: `upload.fileMax` of the system config. */
  readonly maxBytes: number | null;
  /** Each is a file. `file` is required, the others are optional. */
  readonly fields: readonly string[];
}

/** Whether a call changes anything, as its method says or its definition. */
export function isWriting({ method, writes }: Pick<Endpoint, "method" | "writes">): boolean {
  return writes ?? method !== "GET";
}

type Out<S> = S extends Schema ? z.output<S> : undefined;

/** The path parameters of an endpoint. */
export type ParamsOf<E> = E extends Endpoint<infer P, infer _Q, infer _B, infer _A> ? Out<P> : never;
/** The query of an endpoint. */
export type QueryOf<E> = E extends Endpoint<infer _P, infer Q, infer _B, infer _A> ? Out<Q> : never;
/** The body of an endpoint. */
export type BodyOf<E> = E extends Endpoint<infer _P, infer _Q, infer B, infer _A> ? Out<B> : never;
/** The data of the answer of an endpoint. */
export type AnswerOf<E> = E extends Endpoint<infer _P, infer _Q, infer _B, infer A> ? z.output<A> : never;

/** Defines an endpoint. Keeps the exact types of its schemas and of `auth`. */
export function endpoint<
  A extends Schema,
  Auth extends Endpoint["auth"],
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
>(
  definition: Endpoint<P, Q, B, A> & { readonly auth: Auth },
): Endpoint<P, Q, B, A> & { readonly auth: Auth } {
  return definition;
}

/** The input of a call: path parameters, query and body, each only if the endpoint has it. */
export type CallInput<E> = (ParamsOf<E> extends undefined
  ? { params?: undefined }
  : { params: ParamsOf<E> }) &
  (QueryOf<E> extends undefined ? { query?: undefined } : { query: QueryOf<E> }) &
  (undefined extends BodyOf<E> ? { body?: BodyOf<E> } : { body: BodyOf<E> });

/** Returns the path and query string of a call, below `/api`. Absent query values are left out; half a character becomes U+FFFD. */
export function pathOf(
  definition: Endpoint,
  input: { params?: object | undefined; query?: object | undefined },
): string {
  const params = (input.params ?? {}) as Record<string, unknown>;
  const path = definition.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name]).toWellFormed()),
  );
  const query = Object.entries(input.query ?? {})
    .filter(([, value]) => value !== undefined && value !== null)
    .map(
      ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value).toWellFormed())}`,
    );
  return query.length > 0 ? `${path}?${query.join("&")}` : path;
}
