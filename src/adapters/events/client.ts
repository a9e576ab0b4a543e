import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createEventBuffer, createSession, type EventBuffer } from 'better-sse';
import { succeeds } from '../../base/outcome';

export interface ClientLimits {
  /** Milliseconds in which a client must send the head of a request. */
  readonly asks: number;
  /** Bytes that a client may leave unread; milliseconds to read them; milliseconds between two keep-alive comments. */
  readonly unread: number;
  readonly stalls: number;
  readonly keepAlive: number;
}
export const clientLimits: ClientLimits = { asks: 10_000, unread: 64 * 1024, stalls: 30_000, keepAlive: 15_000 };

/** The text of events on the wire, made once for all clients. */
export type EventText = EventBuffer;

/** One open stream. A writer awaits `hasRead` after each write, so that a client that does not read costs one page. */
export interface StreamClient {
  readonly open: boolean;
  /** Resolves when the connection is gone, by either side. */
  readonly gone: Promise<void>;
  send(text: EventText): void;
  /**
   * Resolves when the client has read enough. False: it is gone, or was dropped because it did not read for too long.
   */
  hasRead(): Promise<boolean>;
  end(): void;
}

/** One event; without an id the client keeps its last one. */
export interface WrittenEvent {
  readonly name: string;
  readonly id: string | null;
  readonly data: unknown;
}

export function eventText(events: readonly WrittenEvent[]): EventText {
  const text = createEventBuffer();
  for (const { name, id, data } of events) {
    text.event(name);
    if (id !== null) text.id(id);
    text.data(data).dispatch();
  }
  return text;
}

/** Sends no event, but the id that the client names when it comes back. */
export function placeText(id: string): EventText {
  return createEventBuffer().id(id).dispatch();
}

export async function openStream(
  request: IncomingMessage,
  response: ServerResponse,
  limits: ClientLimits,
): Promise<StreamClient> {
  const gone = new Promise<void>((resolve) => {
    response.once('close', () => resolve());
  });
  response.on('error', () => response.destroy());
  const session = await createSession(request, response, {
    keepAlive: limits.keepAlive,
    retry: 1000,
    trustClientEventId: false,
  });
  const isOpen = (): boolean => session.isConnected && !response.destroyed;
  return {
    get open() {
      return isOpen();
    },
    gone,
    send(text) {
      if (isOpen()) void session.batch(text);
    },
    async hasRead() {
      if (!isOpen()) return false;
      if (response.writableLength <= limits.unread) return true;
      const drained = once(response, 'drain', { signal: AbortSignal.timeout(limits.stalls) });
      const read = await Promise.race([succeeds(drained), gone.then(() => false)]);
      if (!read) response.destroy();
      return read && isOpen();
    },
    end: () => void response.end(),
  };
}
