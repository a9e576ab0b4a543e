import type { Page } from './playwright';
import { waitFor } from './waitFor';

/**
 * Does what makes VS Code note which terminals the window shows, and waits until its server has that note: the next
 * window attaches to the terminals that were noted last, and to no others. A window that is closed has them noted. One
 * that crashes has its last note, and VS Code writes one half a second after a change. The first note of a window on a
 * busy machine names no terminal at all, because none is attached by then.
 */
export async function waitUntilNoted(page: Page, count: number, causeNote: () => Promise<void>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  let note: { readonly socket: string; readonly id: number } | undefined;
  let isReceived = false;
  session.on('Network.webSocketFrameSent', ({ requestId, response }) => {
    for (const { id, data } of messagesIn(response.payloadData)) {
      const terminals = /setTerminalLayoutInfo.*?("tabs":.*?"background")/s.exec(data)?.[1]?.match(/"terminal":\d+/g);
      if (terminals?.length === count) note ??= { socket: requestId, id };
    }
  });
  session.on('Network.webSocketFrameReceived', ({ requestId, response }) => {
    if (requestId !== note?.socket) return;
    for (const { acknowledged } of messagesIn(response.payloadData)) isReceived ||= acknowledged >= note.id;
  });
  await session.send('Network.enable');
  await causeNote();
  await waitFor(() => isReceived, { what: `VS Code's server to know of ${count} terminals` });
  await session.detach();
}

interface Message {
  readonly id: number;
  /** The last message of the other side that had arrived. */
  readonly acknowledged: number;
  readonly data: string;
}

/** VS Code's own frames in one of a web socket: type, id, acknowledged id, length, data. A part of one holds none. */
function messagesIn(payload: string): readonly Message[] {
  const frame = Buffer.from(payload, 'base64');
  const found: Message[] = [];
  let at = 0;
  while (at + header <= frame.length) {
    const end = at + header + frame.readUInt32BE(at + 9);
    const data = frame.toString('latin1', at + header, end);
    found.push({ id: frame.readUInt32BE(at + 1), acknowledged: frame.readUInt32BE(at + 5), data });
    at = end;
  }
  return at === frame.length ? found : [];
}

const header = 13;
