import { insideWorker } from '../owner/decide';
import { findTask } from '../show/find';
import { printJudged } from '../show/findings';
import { besideOwner, actorOf, isInsideWorker, looking, lookingFor, owning, workerOptions } from '../owner/session';
import type { ProposedMemoryView } from '../../contracts/page/liveView';
import { rememberedView, type RememberedView } from '../../core/view/mission/rememberedView';
import { decisionStep } from '../../base/text/steps';
import { fewNamed } from '../../base/text/firstNamed';
import { terminal } from '../../base/text/marked/terminal';
import { required, UsageError, type Command, type Invocation } from '../shell/command';
import { exitCodes, type ExitCode } from '../shell/output';
import { decideAbout, decisionNeeds, decisionOptions } from './human';
import { utcText } from '../../base/text/amounts';

export const memoryConfirm: Command = {
  takes: [required.mission],
  summary: 'Decide what of a verified task is remembered (ASK_USER): keep or discard each entry.',
  details: [
    'MISSION is a mission id, or a plan id (its newest mission). KEY is KEY or DOMAIN/KEY; options can be repeated.',
    'With --keep alone the other entries are discarded. An entry that contradicts what is remembered is named by --replace',
    'or by --keep-old, unless all is discarded: nothing is resolved by itself. Without any of these it shows the entries.',
  ],
  options: {
    ...decisionOptions,
    task: { value: 'TASK', help: 'The task; needed when several wait.' },
    keep: { value: 'KEY', multiple: true, help: 'Remember this entry.' },
    'keep-all': { help: 'Remember every entry that contradicts nothing.' },
    replace: { value: 'KEY', multiple: true, help: 'Remember this entry instead of what it contradicts.' },
    'keep-old': { value: 'KEY', multiple: true, help: 'Discard this entry; what it contradicts stays.' },
    'discard-all': { help: 'Remember nothing of it.' },
    ...workerOptions,
  },
  needs: decisionNeeds,
  run(call) {
    const named = { mission: call.positionals[0] ?? null, task: call.text('task') };
    return decideAbout(
      call,
      (view) => findTask(view, [], named, 'ConfirmMemory'),
      ({ mission: { mission_id, lanes }, task_id }) => {
        const entries = lanes.find((lane) => lane.task_id === task_id)?.memory ?? [];
        printProposed(call, entries);
        return { mission_id, command: { type: 'ConfirmMemory', task_id, ...chosen(call, entries) }, then: 'run' };
      },
    );
  },
};

/** Sorts the entries into the lists. It leaves out a contradicting entry that no option names, so the owner refuses. */
function chosen(
  call: Invocation,
  entries: readonly ProposedMemoryView[],
): { readonly keep: readonly string[]; readonly replace: readonly string[]; readonly discard: readonly string[] } {
  const named = (option: string): readonly string[] => call.texts(option).map((key) => entryName(key, entries));
  const [keep, replace, old] = [named('keep'), named('replace'), named('keep-old')];
  const all = entries.map(({ name }) => name);
  const given = keep.length + replace.length + old.length > 0;
  if (call.flag('discard-all')) {
    if (given || call.flag('keep-all')) throw new UsageError('--discard-all stands alone.');
    return { keep: [], replace: [], discard: all };
  }
  // A person who names nothing looks: the owner then refuses, and its refusal has the whole commands.
  if (!given && !call.flag('keep-all')) return { keep: [], replace: [], discard: [] };
  if (call.flag('keep-all') && keep.length > 0) throw new UsageError('--keep-all stands without --keep.');
  const others = entries.filter(({ name }) => ![...keep, ...replace, ...old].includes(name));
  if (call.flag('keep-all')) return { keep: others.map(({ name }) => name), replace, discard: old };
  const rest = others.filter(({ conflict }) => !conflict).map(({ name }) => name);
  return { keep, replace, discard: [...old, ...rest] };
}

function entryName(key: string, entries: readonly ProposedMemoryView[]): string {
  const fitting = entries.map(({ name }) => name).filter((name) => name === key || name.endsWith(`/${key}`));
  if (fitting.length > 1) throw new UsageError(`${key} is ${fewNamed(fitting)}; name the domain as well.`);
  return fitting[0] ?? key;
}

function printProposed({ out }: Invocation, entries: readonly ProposedMemoryView[]): void {
  for (const { name, decision, rationale, conflict, current } of entries) {
    out.line(terminal`${out.paint('bold', name)}${conflict ? ' contradicts what is remembered' : ''}`);
    if (current) out.line(terminal`  now, version ${current.version}: ${current.decision}`);
    out.line(terminal`  proposed: ${decision}`);
    out.line(terminal`  because: ${rationale}`);
  }
}

export const memoryList: Command = {
  summary: 'List what is remembered in this workspace: the newest version of each decision.',
  run: (call) =>
    withMemory(call, (versions) => {
      const { out } = call;
      const entries = versions.filter(({ current }) => current);
      for (const { name, version, decision, confirmed_by, confirmed_at } of entries)
        out.line(
          terminal`${out.paint('bold', name)} version ${version}: ${decision} (${confirmed_by}, ${utcText(confirmed_at)})`,
        );
      if (entries.length === 0) out.line(terminal`Nothing is remembered here yet.`);
      out.document({ entries });
      return exitCodes.ok;
    }),
};

export const memoryShow: Command = {
  takes: [required.key],
  summary: 'Show every version of a remembered decision, with who confirmed it and where it came from.',
  details: ['KEY is KEY or DOMAIN/KEY, as `mission memory list` gives it.'],
  run: (call) =>
    withMemory(call, (all) => {
      const { out } = call;
      const [wanted = ''] = call.positionals;
      const versions = all.filter(({ name, key }) => name === wanted || key === wanted);
      if (versions.length === 0) {
        const reason = `Nothing is remembered under ${JSON.stringify(wanted)}.`;
        return out.refuse({ code: 'MEMORY_NONE', reason, next: ['mission memory list'] });
      }
      for (const one of versions) {
        out.line(terminal`${out.paint('bold', one.name)} version ${one.version}: ${one.decision}`);
        out.line(terminal`  because: ${one.rationale}`);
        out.line(terminal`  confirmed by ${one.confirmed_by} at ${utcText(one.confirmed_at)}: ${one.reason}`);
        out.line(terminal`  from task ${one.task_id} of ${one.mission_id}; ${one.path}`);
      }
      out.document({ versions });
      return exitCodes.ok;
    }),
};

export const memoryVerify: Command = {
  summary: 'Verify the files of the memory against each other and against the journal.',
  run: (call) =>
    withMemory(call, ({ length }) => {
      call.out.line(call.out.paint('green', `The memory holds: ${length} record${length === 1 ? '' : 's'}.`));
      call.out.document({ valid: true, records: length, findings: [] });
      return exitCodes.ok;
    }),
};

export const memorySetAside: Command = {
  summary: 'Begin a new memory: tasks no longer get what was remembered, and its files are kept.',
  details: ['For a memory that is damaged, too large or no longer useful. Nothing of it is deleted.'],
  options: decisionOptions,
  needs: decisionNeeds,
  async run(call) {
    const { out } = call;
    if (await isInsideWorker(call.workspace)) return out.refuse(insideWorker);
    const looked = await looking(call.workspace, async (viewer) => (await viewer?.memory.read()) ?? null);
    if (!looked.ok) return out.refuse(looked.refusal);
    const before = looked.value;
    // A damaged memory counts as one that is there.
    if (before === null || (before.ok && before.value.files.length + before.value.index.length === 0))
      return out.refuse({
        code: 'MEMORY_NONE',
        reason: 'Nothing is remembered, so there is nothing to set aside.',
        next: ['mission memory list'],
      });
    const actor = actorOf(call);
    const moved = await owning(call, actor, ({ host }) => host.setMemoryAside(actor, call.text('reason') ?? ''));
    if (!moved.ok) return out.refuse(await besideOwner(call, moved.refusal));
    out.line(terminal`A new memory begins; the files of the old one lie in ${moved.value.folder}.`);
    out.document(moved.value);
    return exitCodes.ok;
  },
};

/** Shows a memory that holds; of a damaged one only what is wrong. */
async function withMemory(
  call: Invocation,
  show: (versions: readonly RememberedView[]) => ExitCode,
): Promise<ExitCode> {
  return lookingFor(call, async (viewer) => {
    const reading = await viewer?.memory.read();
    if (reading?.ok === false) return call.out.refuse(reading.refusal);
    const { versions, findings } = rememberedView(reading?.value.files ?? [], reading?.value.index ?? []);
    return findings.length === 0 ? show(versions) : reportDamage(call, findings);
  });
}

function reportDamage({ out }: Invocation, findings: ReturnType<typeof rememberedView>['findings']): ExitCode {
  for (const { file, line, message, ...finding } of findings)
    printJudged({ ...finding, severity: 'error' }, [`at ${file}, line ${line}`], [message], out);
  out.line(out.paint('red', 'The memory does not hold, so nothing of it is used.'));
  out.line(terminal`Where its files cannot be brought back: ${decisionStep('memory set-aside')}`);
  out.document({ valid: false, findings });
  return exitCodes.failed;
}
