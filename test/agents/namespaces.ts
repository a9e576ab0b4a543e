import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Codex wants a tool of an MCP server called by a name in a namespace, which the mock model cannot say. In front of it
 * this turns the name `mcp__mission::packet` into both.
 */
export async function withNamespaces(modelUrl: string): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = createServer((asked, answered) => {
    const passed = request(
      new URL(asked.url ?? '/', modelUrl),
      { method: asked.method ?? 'GET', headers: { ...asked.headers, host: new URL(modelUrl).host } },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => (text += chunk));
        answer.on('end', () => {
          const { 'content-length': _, ...headers } = answer.headers;
          answered.writeHead(answer.statusCode ?? 500, headers);
          answered.end(text.replace(/"name":"(\w+)::(\w+)"/g, '"namespace":"$1","name":"$2"'));
        });
      },
    );
    passed.on('error', () => answered.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
