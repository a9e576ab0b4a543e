import type { IncomingHttpHeaders } from 'node:http';
import type { EventAnswerCode } from '../../contracts/vocabulary/eventAnswers';

/** Why a request is answered with no more than a code. */
export interface Refused {
  readonly code: EventAnswerCode;
  readonly reason: string;
  readonly next: string;
}

export interface AskedRequest {
  readonly method: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** The path of the request line. */
  readonly path: string;
}

/**
 * Returns what is refused to every client. A name that an attacker owns may lead here (DNS rebinding): only names of
 * the loopback count. With any port, because a forwarded one (VS Code, ssh) differs, and no page can forge it. A page
 * of another site, or of another port of this machine, may ask: it names itself in `Origin` or `Sec-Fetch-Site`, and
 * gets nothing, with any cookie. Null: nothing.
 */
export function refusalOf({ method, headers, path }: AskedRequest, port: number): Refused | null {
  const host = headers.host?.toLowerCase() ?? '';
  // Every client leaves out the port that HTTP has by itself.
  if (
    !/^(127\.0\.0\.1|localhost):[1-9]\d{0,4}$/.test(host) &&
    !(port === 80 && /^(127\.0\.0\.1|localhost)$/.test(host))
  )
    return {
      code: 'HOST_REFUSED',
      reason: 'This server answers under its own address only.',
      next: `Use http://127.0.0.1:${port}.`,
    };
  const { origin } = headers;
  if (origin !== undefined && origin.toLowerCase() !== `http://${host}`) return otherSite;
  const site = headers['sec-fetch-site'];
  // A link may be opened from anywhere: its code alone lets in, once.
  const opens = path === openPath && headers['sec-fetch-mode'] === 'navigate';
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !opens) return otherSite;
  if (method !== 'GET') return { code: 'ONLY_READING', reason: 'Nothing can be changed here.', next: 'Ask with GET.' };
  return null;
}

/** Where a one-time link leads. */
export const openPath = '/open';

const otherSite: Refused = {
  code: 'ORIGIN_REFUSED',
  reason: 'A page of another site asked, or one of another port of this machine.',
  next: 'Open Mission Control by its one-time link.',
};
