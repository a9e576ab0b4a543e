import { openJournalDb } from '../../../src/adapters/journal/inProcess';
import { argument, say } from './say';

// <state.db> <stream> <fence | raise> <payload bytes> [count]: appends until it is refused, and says each acknowledged
// sequence number, then the refusal. After `count` of them it waits to be killed.
const opened = openJournalDb<{ n: number; payload: string }>(argument(0), 'write');
if (opened.ok) void run(opened.value);
else say({ opened: false, ...opened.refusal });

async function run(journal: (typeof opened & { ok: true })['value']): Promise<void> {
  const stream = argument(1);
  const actor = { kind: 'runner', name: `appender ${String(process.pid)}` } as const;
  const raised = argument(2) === 'raise' ? await journal.raiseFence(actor) : null;
  if (raised?.ok === false) {
    say({ opened: false, ...raised.refusal });
    return;
  }
  const fence = raised?.value.fence ?? Number(argument(2));
  let seq = (await journal.read(stream)).length;
  say({ opened: true, fence, seq });
  const count = Number(argument(4, 'Infinity'));
  for (;;) {
    if (seq === count) await new Promise(() => setInterval(() => undefined, 60_000));
    const at = new Date().toISOString();
    const event = { n: seq + 1, payload: 'x'.repeat(Number(argument(3))) };
    const result = await journal.append(stream, seq, fence, [{ run_id: 'RUN', at, actor, event }]);
    if (!result.ok) {
      say(result);
      break;
    }
    seq += 1;
    say({ seq });
  }
  const report = await journal.verifyStream(stream);
  say({ report, read: (await journal.read(stream)).length });
  await journal.close();
}
