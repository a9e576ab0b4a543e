import { planFiles } from '../../adapters/documents/planFiles';
import { createEvidenceFiles } from '../../adapters/evidence/files';
import { readMissionPaths } from '../../adapters/state/missionPaths';
import { systemClock } from '../../adapters/system/clock';
import { commandLine } from '../../base/text/oneLine';
import { fileStep } from '../../base/text/steps';
import { terminal } from '../../base/text/marked/terminal';
import { writeRevision, type WrittenRevision } from '../../engine/mission/revise';
import { required, UsageError, type Command, type Invocation } from '../shell/command';
import type { PlanEdit } from '../../contracts/vocabulary/steps';
import { exitCodes, type Output } from '../shell/output';
import { findMissionHere } from '../show/find';
import { findingDocument, printFindings } from '../show/findings';
import path from 'node:path';
import { tellWritten } from '../owner/decide';
import { withMissions, actorOf, withWayBack } from '../owner/session';
import { readSnapshot } from './human';
import { workerOf, workerOption } from './plan/planValidate';

export const planRevise: Command = {
  takes: [required.mission],
  summary: 'Write a DRAFT revision of a mission’s plan; tasks that are done are carried over.',
  details: [
    'MISSION is a mission id, or a plan id (its newest mission). Writes docs/plans/PLAN_<id>-r<n>.json from the locked',
    'bytes and never replaces a file. Nothing happens to the mission before the revision is approved; that ends it.',
  ],
  options: {
    out: { value: 'FILE', help: 'The file to write (default: the next free revision in docs/plans).' },
    writes: {
      value: 'TASK=PATH',
      multiple: true,
      help: 'Write the draft with this path: as scratch where git ignores it, else as a path of the task.',
    },
    network: { help: 'Write the draft with a network for its commands (execution.network).' },
    open: {
      value: 'ENTRY',
      multiple: true,
      help: 'Write the draft with this for its commands: localhost:PORT, unix:/PATH, /dev/NAME or a variable.',
    },
    layers: { help: 'Write the draft with a layer over the approved paths, too (execution.layers).' },
    by: { value: 'NAME', help: 'Who plans (default: your user name).' },
    ...workerOption,
  },
  async run(call) {
    const { out } = call;
    const view = await readSnapshot(call);
    if (!view.ok) return out.refuse(view.refusal);
    const found = findMissionHere(view.value, call.positionals[0] ?? '');
    if (!found.ok) return out.refuse(await withWayBack(found.refusal, call));
    const { mission_id } = found.value;
    const file = call.text('out');
    const edit = editOf(call);
    const evidence = createEvidenceFiles({ workspaceRoot: call.workspace });
    const executed = await evidence.executions();
    if (!executed.ok) return out.refuse(executed.refusal);
    const paths = await readMissionPaths(call.workspace);
    const read = await withMissions(call.workspace, async ({ missions, ports }) => {
      const mission = missions.find((one) => one.mission_id === mission_id);
      if (!mission) throw new Error(`Mission ${mission_id} is gone from the journal.`);
      const taken = [...executed.value, ...missions.map(({ plan }) => plan.plan_id)];
      const request = { mission, missions, planner: actorOf(call).name, defaultWorker: workerOf(call), taken };
      return writeRevision(
        { ...request, ...(edit && { edit }), ...(file !== null && { out: call.file(file) }) },
        { ...ports, plans: planFiles, paths, clock: systemClock },
      );
    });
    const written = read.ok ? read.value : read;
    if (!written.ok) return out.refuse(written.refusal);
    await tellWritten(call, call.file(path.resolve(call.workspace, written.value.plan_path)));
    print(written.value, found.value.ending !== null, out);
    out.document({ ...written.value, findings: written.value.findings.map(findingDocument) });
    return exitCodes.ok;
  },
};

function editOf(call: Invocation): PlanEdit | null {
  const all = call.texts('writes').map((one) => /^([^=]+)=(.+)$/.exec(one));
  const [kind, ...kinds] = (['network', 'layers'] as const).filter((one) => call.flag(one));
  if (kinds.length > 0) throw new UsageError('--network and --layers are two revisions: write one, and edit it.');
  const entries = call.texts('open');
  if (entries.length > 0 && (all.length > 0 || kind))
    throw new UsageError('--open stands without --writes, --network and --layers: write one revision, and edit it.');
  if (entries.length > 0) return { kind: 'opens', entries };
  if (all.length === 0) return kind ? { kind } : null;
  const paths = all.flatMap((found) => found?.[2] ?? []);
  const [task = '', ...others] = new Set(all.flatMap((found) => found?.[1] ?? []));
  if (paths.length < all.length || others.length > 0 || kind)
    throw new UsageError('--writes takes TASK=PATH, once for each path of one task, without --network or --layers.');
  return { kind: 'writes', task, paths };
}

function print(written: WrittenRevision, missionEnded: boolean, out: Output): void {
  const { plan_path, supersedes, carried, again, left, unfinished, not_taken_over, findings } = written;
  out.line(terminal`${out.paint('green', 'Written')}: ${plan_path}, a DRAFT that supersedes plan ${supersedes}`);
  if (carried.length > 0)
    out.line(terminal`  carried over: ${commandLine(carried)}; remove carried_from of a task to have it done again`);
  for (const { task_id, reason } of again) out.line(out.paint('yellow', `  done again: ${task_id}, because ${reason}`));
  for (const path of left)
    out.line(
      out.paint(
        'yellow',
        `  left outside the approved paths: ${path}; put it back, or let the paths of a task approve it, else it stays`,
      ),
    );
  for (const { task_id, paths, gone } of unfinished) {
    const line = (did: string, names: readonly string[], then: string): void => {
      if (names.length === 0) return;
      out.line(out.paint('yellow', `  ${did} by ${task_id}, which is to be done: ${names.join(', ')}; ${then}`));
    };
    line('left', paths, 'the next attempt finds it there');
    line('deleted', gone, 'the next attempt does not find it');
  }
  for (const { task_id, revised } of not_taken_over)
    out.line(
      out.paint(
        'yellow',
        `  revised of ${task_id} in the mission: ${revised}; write it into the draft if it shall stay`,
      ),
    );
  printFindings(plan_path, findings, out);
  out.line(terminal`  next: edit it, then ${fileStep('plan approve', plan_path, '--by NAME')}`);
  out.line(terminal`        (that shows what changes${missionEnded ? '' : ', and ends the mission'})`);
}
