import type { IncomingHttpHeaders } from 'node:http';
import type { EventAnswerCode } from '../../contracts/vocabulary/eventAnswers';

/** The reason why a request gets no more than a code as its answer. */
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
 * Returns the refusal that holds for every client; null: the request passes. A name that an attacker owns may lead here
 * (DNS rebinding), so only names of the loopback count. Any port counts, because a forwarded one (VS Code, ssh) differs
 * and no page can forge it. A page of another site or port may ask, but names itself in `Origin` or `Sec-Fetch-Site`.
 * It gets nothing, whatever its cookie.
 */
export function requestRefusal({ method, headers, path }: AskedRequest, port: number): Refused | null {
  const host = headers.host?.toLowerCase() ?? '';
  // Every client leaves out HTTP's default port.
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
  // Any page may open a link, because its code alone admits, and only once.
  const opens = path === openPath && headers['sec-fetch-mode'] === 'navigate';
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !opens) return otherSite;
  if (method !== 'GET') return { code: 'ONLY_READING', reason: 'Nothing can be changed here.', next: 'Ask with GET.' };
  return null;
}

/** The path that a one-time link leads to. */
export const openPath = '/open';

const otherSite: Refused = {
  code: 'ORIGIN_REFUSED',
  reason: 'A page of another site asked, or one of another port of this machine.',
  next: 'Open Mission Control by its one-time link.',
};
