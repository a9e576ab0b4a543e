import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
export type Headers = Readonly<Record<string, string>>;

/** One request on the loopback, with exactly these headers. */
export async function ask(url: string, headers: Headers = {}, method = 'GET'): Promise<Answered> {
  const response = await answer(url, headers, method);
  let body = '';
  for await (const chunk of response) body += String(chunk);
  return { status: response.statusCode ?? 0, headers: response.headers, body };
}

export interface Received {
  readonly id: string | null;
  readonly name: string;
  readonly data: string;
}

/** A client of a stream that reads everything, or nothing. */
export interface EventClient {
  readonly status: number;
  readonly events: readonly Received[];
  /** The id that EventSource would name when it comes back. */
  readonly lastEventId: string | null;
  readonly comments: number;
  /** Resolves with the first `count` events. */
  has(count: number): Promise<readonly Received[]>;
  /** Resolves when an event is as asked. */
  sees(wanted: (event: Received) => boolean): Promise<Received>;
  /** Resolves when the server, or `leave`, ended the connection. */
  readonly gone: Promise<void>;
  leave(): void;
}

export async function follow(url: string, headers: Headers, reads = true): Promise<EventClient> {
  const response = await answer(url, headers, 'GET');
  const events: Received[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  let last: string | null = null;
  let comments = 0;
  const take = (text: string): void => {
    rest += text;
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const fields = new Map<string, string>();
      for (const line of rest.slice(0, end).split('\n')) {
        const colon = line.indexOf(':');
        if (colon === 0) comments += 1;
        else fields.set(line.slice(0, colon), line.slice(colon + 1));
      }
      rest = rest.slice(end + 2);
      last = fields.get('id') ?? last;
      const data = fields.get('data');
      if (data !== undefined)
        events.push({ id: fields.get('id') ?? null, name: fields.get('event') ?? 'message', data });
    }
    for (const look of waiting) look();
  };
  if (reads) response.setEncoding('utf8').on('data', take);
  const gone = new Promise<void>((resolve) => {
    response.once('close', resolve);
    response.once('error', () => resolve());
  });
  const until = <T>(look: () => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const again = (): void => {
        const found = look();
        if (found === undefined) return;
        waiting.delete(again);
        resolve(found);
      };
      waiting.add(again);
      again();
      void gone.then(() => reject(new Error(`The stream ended after ${events.length} events.`)));
    });
  return {
    status: response.statusCode ?? 0,
    events,
    get lastEventId() {
      return last;
    },
    get comments() {
      return comments;
    },
    has: (count) => until(() => (events.length >= count ? events.slice(0, count) : undefined)),
    sees: (wanted) => until(() => events.find(wanted)),
    gone,
    leave: () => response.destroy(),
  };
}

function answer(url: string, headers: Headers, method: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers, agent: false }, resolve).once('error', reject).end();
  });
}
