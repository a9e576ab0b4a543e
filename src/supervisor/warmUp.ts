import { launchTicketSchema } from '../contracts/launch';
import { readOnce } from '../adapters/files/opened';
import { identityOf, treeMembers } from '../adapters/processes/tree';
import { createStreamRedactor } from '../adapters/system/redact';

/**
 * Does ahead what costs the first milliseconds of a run, while no task waits: starts the file system's threads, builds
 * schemas, compiles code. Only reads, and no files of a run. Never rejects.
 */
export async function warmUp(): Promise<void> {
  try {
    const program = process.argv[1] ?? '';
    // Four calls at a time start every thread. They take no byte, because the program's are many.
    const open = () => readOnce(program, 0);
    await Promise.all([open(), open(), open(), open()]);
    launchTicketSchema.safeParse({});
    const redactor = createStreamRedactor([]);
    redactor.push(`${new Date().toISOString()}\n`);
    redactor.end();
    // Stops here, because elsewhere a program lists the processes, which costs the same at any time.
    if (process.platform !== 'linux') return;
    await identityOf(process.pid);
    await treeMembers({ root: null, nonce: 'of no launch' });
  } catch {
    // The run itself reports the error if it matters.
  }
}
