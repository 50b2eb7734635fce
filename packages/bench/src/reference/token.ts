import { createHmac, timingSafeEqual } from "node:crypto";

/** The claims of a token for the reference servers. */
export interface Claims {
  sub: number;
  name: string;
  sid: string;
  terminal: number;
  /** Seconds since 1970. */
  exp: number;
}

const HEADER = base64({ alg: "HS256", typ: "JWT" });

function base64(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function sign(text: string, secret: string): Buffer {
  return createHmac("sha256", secret).update(text).digest();
}

/** Creates an HS256 token that is valid for an hour. */
export function makeToken(claims: Omit<Claims, "exp">, secret: string): string {
  const text = `${HEADER}.${base64({ ...claims, exp: Math.floor(Date.now() / 1000) + 3_600 })}`;
  return `${text}.${sign(text, secret).toString("base64url")}`;
}

function verify(token: string, secret: string): Claims | undefined {
  const [header, payload, signature] = token.split(".");
  if (header !== HEADER || payload === undefined || signature === undefined) return undefined;
  const expected = sign(`${header}.${payload}`, secret);
  const given = Buffer.from(signature, "base64url");
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return JSON.parse(Buffer.from(payload, "base64url").toString()) as Claims;
}

/** Returns a function that checks tokens: the signature of each token once, its expiry always. */
export function tokenChecker(secret: string): (token: string) => Claims | undefined {
  const verified = new Map<string, Claims>();
  return (token) => {
    let claims = verified.get(token);
    if (claims === undefined) {
      claims = verify(token, secret);
      if (claims === undefined) return undefined;
      verified.set(token, claims);
    }
    return claims.exp * 1_000 > Date.now() ? claims : undefined;
  };
}
