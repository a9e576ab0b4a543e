import { unknownMission } from '../show/find';
import { readFile } from 'node:fs/promises';
import { verifyExport } from '../../adapters/journal/export';
import { errorWords } from '../../base/outcome';
import type { NodeViewer } from '../../adapters/nodeViewer';
import { optional, required, UsageError, type Command, type Invocation } from '../shell/command';
import { exitCodes, type ExitCode } from '../shell/exitCodes';
import { looking, snapshotOf, withWayBack } from '../owner/session';

export const journalExport: Command = {
  takes: [required.mission],
  summary: 'Print the journal of a mission as JSON lines that can be verified anywhere.',
  details: [
    'MISSION is a mission id, a plan id (its newest mission), or one of the streams "approvals" and "refusals".',
  ],
  run: (call) =>
    onStream(call, async (viewer, stream) => {
      const lines = await viewer.journal.exportStream(stream);
      if (call.out.json) call.out.document({ stream, lines });
      else call.out.jsonLines(lines);
      return exitCodes.ok;
    }),
};

export const journalVerify: Command = {
  usage: 'MISSION',
  takes: [optional.mission],
  summary: 'Verify the hash chain of a mission’s journal, or of an export (--file).',
  options: { file: { value: 'FILE', help: 'An export of `mission journal export` instead.' } },
  async run(call) {
    const file = call.text('file');
    if ((file === null) === (call.positionals.length === 0))
      throw new UsageError('Name a mission, or an export with --file; one of the two.');
    if (file === null)
      return onStream(call, async (viewer, stream) => printChainCheck(call, await viewer.journal.verifyStream(stream)));
    try {
      const verdict = verifyExport((await readFile(call.file(file), 'utf8')).split('\n'));
      // Every mission has events: an export without any lost them.
      return printChainCheck(call, verdict.events === 0 ? { ...verdict, valid: false } : verdict);
    } catch (error) {
      return call.out.refuse({
        code: 'FILE_UNREADABLE',
        reason: `${file} cannot be read: ${errorWords(error)}.`,
        next: ['Name a file of `mission journal export`.'],
      });
    }
  },
};

function printChainCheck(
  call: Invocation,
  { valid, events, first_bad }: { readonly valid: boolean; readonly events: number; readonly first_bad: number | null },
): ExitCode {
  const { out } = call;
  out.line(
    valid
      ? out.paint('green', `The chain of ${events} events holds.`)
      : out.paint(
          'red',
          first_bad === null ? 'There is no event.' : `The chain breaks at event ${first_bad} of ${events}.`,
        ),
  );
  out.document({ valid, events, first_bad });
  return valid ? exitCodes.ok : exitCodes.failed;
}

/** @param otherwise what to do where the journal knows no such stream; absent: refuse */
export async function onStream(
  call: Invocation,
  work: (viewer: NodeViewer, stream: string) => Promise<ExitCode>,
  otherwise?: () => Promise<ExitCode>,
): Promise<ExitCode> {
  const { out } = call;
  const wanted = call.positionals[0] ?? '';
  const refuse = otherwise ?? (async () => out.refuse(await withWayBack(unknownMission(wanted).refusal, call)));
  const exit = await looking(call.workspace, async (viewer) => {
    const streams = (await viewer?.journal.streams()) ?? [];
    const newest =
      streams.find(({ stream }) => stream === wanted)?.stream ??
      (await snapshotOf(viewer, call.workspace)).missions.find(({ plan_id }) => plan_id === wanted)?.mission_id;
    return viewer === null || newest === undefined ? refuse() : work(viewer, newest);
  });
  return exit.ok ? exit.value : otherwise ? otherwise() : out.refuse(exit.refusal);
}
