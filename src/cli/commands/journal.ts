import { readFile, stat } from 'node:fs/promises';
import { readAuditFile } from '../../adapters/documents/auditFile';
import { createFileAtomic } from '../../adapters/files/atomic';
import { verifyExport } from '../../adapters/journal/export';
import type { NodeViewer } from '../../adapters/nodeViewer';
import { isPathId } from '../../adapters/state/folder';
import { errorWords, type Refusal } from '../../base/outcome';
import { terminal } from '../../base/text/marked/terminal';
import type { AuditHead } from '../../contracts/audit';
import {
  auditFileText,
  isExportOf,
  verifyAuditFile,
  verifyAuditStream,
  type AuditVerdict,
} from '../../engine/evidence/audit';
import { looking, snapshotOf, withWayBack } from '../owner/session';
import { optional, required, UsageError, type Command, type Invocation } from '../shell/command';
import { exitCodes, type ExitCode } from '../shell/output';
import { unknownMission } from '../show/find';
import { printJudged } from '../show/findings';

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
async function onStream(
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

export const auditExport: Command = {
  takes: [required.mission],
  summary: 'Print the audit log of a mission: its phases, invocations of models and seals, as JSON lines.',
  details: ['MISSION is a mission id or a plan id (its newest mission).'],
  options: { out: { value: 'FILE', help: 'Write it to a new file instead.' } },
  run: (call) =>
    onStream(call, async (viewer, stream) => {
      const out = call.text('out');
      if (out?.trim() === '') throw new UsageError('--out names no file; write where it goes.');
      const text = auditFileText(await viewer.journal.read(stream));
      if (text === null) return call.out.refuse(noMission(stream));
      if (out !== null) return written(call, out, text);
      const lines = text.trimEnd().split('\n');
      if (call.out.json) call.out.document({ mission_id: stream, lines });
      else call.out.jsonLines(lines);
      return exitCodes.ok;
    }),
};

export const auditVerify: Command = {
  usage: 'MISSION|FILE',
  takes: [required.missionOrLog],
  summary: 'Verify the seals of a mission’s audit log, in the journal or in a file of `mission audit export`.',
  details: [
    'A file is held against the journal of this workspace, where that knows its mission. Alone it cannot show that it was made anew.',
  ],
  async run(call) {
    const [named = ''] = call.positionals;
    const isFile = await stat(call.file(named)).then(
      (found) => found.isFile(),
      () => false,
    );
    // A text that is no mission id can only name a file, whatever lies there.
    if (!isPathId(named)) return verifyFile(call, named);
    return onStream(call, verifyStream.bind(null, call), () =>
      isFile ? verifyFile(call, named) : Promise.resolve(call.out.refuse(neither(named))),
    );
  },
};

function neither(named: string): Refusal {
  return {
    code: 'MISSION_UNKNOWN',
    reason: `The journal of this folder knows no mission ${named}, and there is no file of that name.`,
    next: ['mission list', 'Or name a file of `mission audit export`.'],
  };
}

async function verifyStream(call: Invocation, { journal }: NodeViewer, stream: string): Promise<ExitCode> {
  const chain = await journal.verifyStream(stream);
  const verdict = verifyAuditStream({ entries: await journal.read(stream), chain });
  return verdict ? printVerdict(call, verdict, `The audit log of ${stream}`) : call.out.refuse(noMission(stream));
}

async function verifyFile(call: Invocation, named: string): Promise<ExitCode> {
  let text: string;
  try {
    // Fatal, because bytes that are no text would else read as replacement characters.
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(call.file(named)));
  } catch (error) {
    const reason = `${named} cannot be read: ${errorWords(error)}.`;
    return call.out.refuse({ code: 'FILE_UNREADABLE', reason, next: ['Name a file of `mission audit export`.'] });
  }
  const file = readAuditFile(text);
  const same = file.head && (await isOfThisJournal(call, text, file.head));
  const code = printVerdict(call, verifyAuditFile(file, same), `The audit log in ${named}`);
  if (file.head && code === exitCodes.ok)
    call.out.note(
      same
        ? terminal`The journal of this workspace has the same for mission ${file.head.mission_id}.`
        : terminal`There is no journal here to compare it with, so it shows only that it fits itself. Verify it where mission ${file.head.mission_id} ran, or compare the closing of each attempt with the evidence (seal.closing_sha256 in TASK files).`,
    );
  return code;
}

/** Null: there is no journal here that knows the mission. */
async function isOfThisJournal(call: Invocation, text: string, head: AuditHead): Promise<boolean | null> {
  const same = await looking(call.workspace, async (viewer) => {
    const entries = (await viewer?.journal.read(head.mission_id)) ?? [];
    return entries.length === 0 ? null : isExportOf(text, head, entries);
  });
  return same.ok ? same.value : null;
}

function printVerdict({ out }: Invocation, verdict: AuditVerdict, what: string): ExitCode {
  const { valid, events, findings } = verdict;
  for (const finding of findings) {
    const { record, place, message } = finding;
    const sentence = record === '' ? message : `${record}: ${message}`;
    printJudged(finding, place === null ? [] : [`at ${place}`], [sentence], out);
  }
  out.line(
    valid ? out.paint('green', `${what} holds: ${events} records.`) : out.paint('red', `${what} does not hold.`),
  );
  out.document(verdict);
  return valid ? exitCodes.ok : exitCodes.failed;
}

async function written(call: Invocation, out: string, text: string): Promise<ExitCode> {
  const next = ['Name a new file in a folder that you may write.'];
  try {
    if (!(await createFileAtomic(call.file(out), text)))
      return call.out.refuse({ code: 'FILE_UNWRITABLE', reason: `${out} exists already.`, next });
  } catch (error) {
    return call.out.refuse({
      code: 'FILE_UNWRITABLE',
      reason: `${out} cannot be written: ${errorWords(error)}.`,
      next,
    });
  }
  call.out.line(terminal`Written: ${out}`);
  call.out.document({ file: out });
  return exitCodes.ok;
}

function noMission(stream: string): Refusal {
  return { code: 'MISSION_UNKNOWN', reason: `The stream ${stream} is of no mission.`, next: ['mission list'] };
}
