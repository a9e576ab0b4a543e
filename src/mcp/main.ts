import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { askOwner } from './outbox';
import { createServer } from './server';
import { leaveStarted, takeSession } from './session';

/**
 * Runs the mission tools of one orchestrator session. Its CLI starts them inside its sandbox, and they end with the
 * standard input. A fault of the session is the answer of each tool, because a model and a person read it there.
 */
async function main(): Promise<void> {
  const session = takeSession(process.env);
  if (!('ok' in session)) await leaveStarted(session);
  const input = new AbortController();
  for (const event of ['end', 'close']) process.stdin.once(event, () => input.abort());
  // The client has closed the pipe, so no reader is left for an answer.
  process.stdout.on('error', () => input.abort());
  const server = createServer((request, gone) =>
    'ok' in session ? Promise.resolve(session) : askOwner(session, request, AbortSignal.any([gone, input.signal])),
  );
  // Ends the process, because the transport closes at a message that is too large. The CLI would
  // then see only silence.
  server.onclose = () => process.stdin.destroy();
  await server.connect(new StdioServerTransport());
}

void main();
