import path from 'node:path';
import { launchTicketSchema } from '../contracts/launch';
import { readRunFile } from '../adapters/launches/files';
import { identityOf } from '../adapters/processes/table';
import { treeMembers } from '../adapters/processes/tree';
import { createStreamRedactor } from '../adapters/system/redact';

/**
 * Does once, for nobody, what the first milliseconds of a run and the last of a worker will do: the threads of the file
 * system start, schemas are built, code is compiled. It only reads, and nothing of any run. A spare has the time; a
 * task that waits for its supervisor has not. Never rejects: what cannot be done ahead is done later.
 */
export async function warmUp(): Promise<void> {
  try {
    const program = process.argv[1] ?? '';
    const read = () => readRunFile(path.dirname(program), path.basename(program), launchTicketSchema);
    await Promise.all([read(), read(), read(), read()]);
    launchTicketSchema.safeParse({});
    const redactor = createStreamRedactor([]);
    redactor.push(`${new Date().toISOString()}\n`);
    redactor.end();
    // Elsewhere the table of processes is a program's output, which costs the same at any time.
    if (process.platform !== 'linux') return;
    await identityOf(process.pid);
    await treeMembers({ root: null, nonce: 'of nobody' });
  } catch {
    // Later, with its reason, if it matters then.
  }
}
