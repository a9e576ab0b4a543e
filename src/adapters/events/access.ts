import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Milliseconds that a one-time link works. */
const linkLives = 120_000;
/** At most so many unused links and admitted browsers are kept; the oldest are dropped first. */
const keptAtMost = 20;

/**
 * Decides who may read: a client that has the token, or a browser that opened a one-time link. A
 * browser needs the link, because its EventSource sends no bearer. All secrets are random, kept in
 * memory only, and gone with the process. All but the token are kept as digests.
 *
 * Cookies know no port: a browser sends those of 127.0.0.1 to every server there. So a browser
 * sends its cookie only below a path of its own, and only there it counts. No other server can lead
 * the browser to that path, because the path is a secret.
 */
export class Access {
  /** 256 random bits; only the person who started the server sees them. */
  readonly token = secret();
  readonly #tokenDigest = digest(this.token);
  readonly #links = new Map<string, number>();
  /** Digests of a browser's path and cookie. */
  readonly #browsers = new Map<string, Buffer>();

  /** @param now milliseconds that only rise */
  constructor(private readonly now: () => number) {}

  /** Returns the code of a new link, which works once and for a short time. */
  link(): string {
    const code = secret();
    this.#links.set(keyOf(code), this.now() + linkLives);
    forgetOldest(this.#links);
    return code;
  }

  /** Returns the path and cookie that admit this browser; null: the code is wrong, used, or too old. */
  redeem(code: string): { readonly prefix: string; readonly cookie: string } | null {
    const key = keyOf(code);
    const until = this.#links.get(key);
    this.#links.delete(key);
    if (until === undefined || this.now() > until) return null;
    const [prefix, cookie] = [secret(), secret()];
    this.#browsers.set(keyOf(prefix), digest(cookie));
    forgetOldest(this.#browsers);
    return { prefix, cookie };
  }

  hasToken(authorization: string | undefined): boolean {
    const [, given = ''] = /^Bearer ([A-Za-z0-9_-]{43})$/.exec(authorization ?? '') ?? [];
    return timingSafeEqual(digest(given), this.#tokenDigest);
  }

  /** @param cookies the header as received */
  isBrowser(prefix: string, cookies: string | undefined): boolean {
    // Looks up the digest, because the time of a lookup then shows nothing about the secret.
    const kept = this.#browsers.get(keyOf(prefix));
    if (kept === undefined) return false;
    const given = (cookies ?? '').split(';').map((one) => one.trim().split('='));
    return given.some(([key, value = '']) => key === cookieName && timingSafeEqual(digest(value), kept));
  }
}

export const cookieName = 'mission_control';

/** Splits off the first part of a path if it is that of a browser. */
export function withoutPrefix(path: string): { readonly prefix: string | null; readonly path: string } {
  const [, prefix = null, rest = path] = /^\/([A-Za-z0-9_-]{43})(\/.*)$/.exec(path) ?? [];
  return { prefix, path: rest };
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function keyOf(text: string): string {
  return digest(text).toString('base64');
}

function forgetOldest(all: Map<string, unknown>): void {
  for (const key of all.keys()) {
    if (all.size <= keptAtMost) return;
    all.delete(key);
  }
}
