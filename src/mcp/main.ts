import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { askOwner } from './outbox';
import { createServer } from './server';
import { leaveStarted, takeSession } from './session';

/**
 * The mission tools of one orchestrator session: started by its CLI, inside its sandbox, and ended with the standard
 * input. It says what is wrong with its session in the answers of its tools, where a model and a person read it.
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
  // The transport closes at a message that is too large to be read; the CLI sees the end of this process, not a silence.
  server.onclose = () => process.stdin.destroy();
  await server.connect(new StdioServerTransport());
}

void main();
