import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A model service on 127.0.0.1 that begins an answer and sends blank lines for ever: a CLI that waits for bytes waits. */
export interface TricklingModel {
  readonly url: string;
  /** The address of each request. */
  readonly requests: readonly string[];
  stop(): Promise<void>;
}

export async function startTricklingModel(): Promise<TricklingModel> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('\n');
    const trickle = setInterval(() => response.write('\n'), 5_000);
    response.once('close', () => clearInterval(trickle));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
