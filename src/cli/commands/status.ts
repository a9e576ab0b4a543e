import { elapsedText, liveText, type LiveWorkerView } from '../../contracts/page/liveView';
import type { MissionControlView, MissionView, TaskView } from '../../contracts/page/missionView';
import { startsHeld } from '../../adapters/user/machineHold';
import { optional, type Command, type Invocation } from '../shell/command';
import { exitCodes, type ExitCode, type Output } from '../shell/output';
import { findMission } from '../show/find';
import { blockSection, foundLines, taskLines, wayLines, withLines } from '../show/missionResult';
import { milestoneLines } from '../show/progressText';
import { foundHere, lookingFor, snapshotOf } from '../owner/session';
import type { EvidenceOfFolder } from '../../core/view/evidence/shownEvidence';
import { fewNamed } from '../../base/text/firstNamed';
import { confinements } from '../../contracts/vocabulary/workers';
import { inColumns, terminal, type TerminalText } from '../../base/text/marked/terminal';
import { fileStep, stepLine } from '../../base/text/steps';
import { auditWords, confinementWords, countedTokens, missionWord } from '../../base/text/words';
import { utcText } from '../../base/text/amounts';

export const status: Command = {
  takes: [optional.mission],
  summary: 'Show missions: state, tasks, live worker, blocks, last events.',
  details: [
    'MISSION is a mission id, or a plan id (its newest mission); without it, the newest mission and every open one.',
    'What the driver knows of a task (phases, intent, model, context, telemetry, sandbox, verification, usage) is shown for tasks that run, wait or failed; with MISSION for each that was attempted.',
    'Reads only; works while another process runs the missions. --json prints the Mission Control snapshot.',
  ],
  run: (call) =>
    withSnapshot(call, async (view, foundHere) => {
      const { out } = call;
      const [wanted] = call.positionals;
      const hold = await startsHeld();
      const heldStarts = hold && { starts_held: hold };
      const say = (): void => {
        if (!hold) return;
        out.line(out.paint('red', hold.reason));
        for (const step of hold.next) out.line(terminal`  next: ${step}`);
      };
      if (wanted === undefined) {
        out.document({ ...view, missions: view.missions.map(withLines), found: foundHere, ...heldStarts });
        say();
        printStatus(
          { ...view, found: foundHere },
          view.missions.filter((mission, index) => index === 0 || mission.ending === null),
          out,
          ({ status }) => status === 'in_progress' || status === 'blocked' || status === 'failed',
        );
        return exitCodes.ok;
      }
      const found = findMission(view, wanted);
      const onDisk = foundHere.filter((one) => wanted === one.plan_id || wanted === one.mission_id);
      if (!found.ok && onDisk.length === 0) return out.refuse(found.refusal);
      const missions = found.ok ? [found.value] : [];
      out.document({ ...view, missions: missions.map(withLines), found: onDisk, unreadable: [], ...heldStarts });
      say();
      printStatus({ ...view, unreadable: [], found: onDisk }, missions, out, () => true);
      return exitCodes.ok;
    }),
};

export const list: Command = {
  summary: 'List the missions of the workspace.',
  run: (call) =>
    withSnapshot(call, (view, found) => {
      const { out } = call;
      out.document({ ...view, missions: view.missions.map(withLines), found });
      const rows = view.missions.map((mission) => [
        mission.mission_id,
        missionWord(mission),
        `${mission.done}/${mission.tasks.length} done`,
        utcText(mission.updated_at),
        ...(mission.runs_on === undefined ? [] : [mission.runs_on]),
      ]);
      rows.push(...found.map((one) => [one.plan_id, 'not in the journal here', one.outcome, utcText(one.at)]));
      if (rows.length === 0 && view.unreadable.length === 0) out.line(noMissions);
      for (const line of inColumns(rows)) out.line(line);
      printUnreadable(view, out);
      return exitCodes.ok;
    }),
};

async function withSnapshot(
  call: Invocation,
  show: (view: MissionControlView, found: readonly EvidenceOfFolder[]) => ExitCode | Promise<ExitCode>,
): Promise<ExitCode> {
  return lookingFor(call, async (viewer) => {
    const view = await snapshotOf(viewer, call.workspace);
    return show(view, await foundHere(call.workspace, view.missions));
  });
}

const noMissions = terminal`No missions yet. Start one with: mission run docs/plans/PLAN_<id>.json`;

function approvalOf({ approval }: MissionView): string {
  const said = `approved by ${approval.by ?? 'an unnamed person'}, as the file says`;
  if (approval.here === null) return said;
  const where = approval.elsewhere === true ? 'approved elsewhere, as this journal says,' : 'approved here';
  return `${said}; ${where} by ${approval.here.by} at ${utcText(approval.here.at)}`;
}

/** Says what has become of the plan that superseded another one, and the command that goes on from there. */
function ranAs({ missions }: MissionControlView, planId: string): string {
  const ran = missions.find(({ plan_id }) => plan_id === planId);
  return ran
    ? `ran: mission status ${ran.mission_id}`
    : `has not run: ${fileStep('run', `docs/plans/PLAN_${planId}.json`)}`;
}

function timeOf({ started_at, ended_at }: MissionView, now: string): string {
  const elapsed = elapsedText(started_at, ended_at ?? now) ?? 'unknown';
  return ended_at === null ? `started ${elapsed} ago` : `took ${elapsed}`;
}

/** @param explained the tasks whose facts are printed, where an attempt was made */
function printStatus(
  view: MissionControlView & { readonly found: readonly EvidenceOfFolder[] },
  missions: readonly MissionView[],
  out: Output,
  explained: (task: TaskView) => boolean,
): void {
  out.line(
    terminal`Workspace ${view.workspace}: ${view.owner === 'none' ? 'no process runs missions here now' : 'a process runs missions here now'}.`,
  );
  if (missions.length === 0 && view.found.length === 0) out.line(noMissions);
  for (const mission of missions) {
    out.line();
    const colour =
      mission.status === 'completed'
        ? 'green'
        : mission.status === 'failed' || mission.status === 'cancelled'
          ? 'red'
          : 'yellow';
    out.line(
      terminal`${out.paint('bold', mission.mission_id)}  ${out.paint(colour, missionWord(mission))}  (${mission.execution}), ${timeOf(mission, view.generated_at)}`,
    );
    out.line(terminal`  ${mission.headline}`);
    if (mission.runs_on !== undefined) out.line(terminal`  ${mission.runs_on}`);
    if (mission.missed_stop !== undefined) out.line(out.paint('red', `  ${mission.missed_stop}`));
    out.line(terminal`  ${approvalOf(mission)}`);
    if (mission.supersedes !== undefined) out.line(terminal`  revision of ${mission.supersedes}`);
    if (mission.superseded_by !== undefined)
      out.line(terminal`  superseded by ${mission.superseded_by}, which ${ranAs(view, mission.superseded_by)}`);
    for (const line of milestoneLines(mission)) out.line(line);
    const tasks = taskLines(mission, view.generated_at);
    if (tasks.length > 0) out.line(terminal.lines(tasks));
    for (const line of factLines(mission.tasks.filter(explained))) out.line(line);
    for (const line of confinementLines(mission.tasks.filter((task) => !explained(task)))) out.line(line);
    for (const line of mission.tasks.flatMap(deniedLines)) out.line(line);
    for (const live of mission.lanes) {
      const left = leftLine(live, view.generated_at);
      if (left !== null) {
        out.line(left);
        continue;
      }
      out.line(
        terminal`  live: ${mission.lanes.length > 1 ? `${live.task_id}, ` : ''}${live.purpose} ${live.worker}, ${live.stage}${live.confinement === null ? '' : `, confined by ${confinementWords[live.confinement]}`}${live.pid === null ? '' : `, process ${live.pid}`}; ${progressText(live, view.generated_at)}`,
      );
      const { missing = [] } = live.intervention ?? {};
      if (missing.length > 3) for (const item of missing) out.line(terminal`    - ${item}`);
    }
    if (mission.attention) {
      const { code, reason, next = [] } = mission.attention;
      out.line(out.paint('yellow', `  needs you${code === null ? '' : ` (${code})`}: ${reason}`));
      for (const step of next) out.line(terminal`    next: ${stepLine(step)}`);
    }
    for (const block of mission.blocks) {
      const { title, lines } = blockSection(block, mission.interrupted, 5);
      out.line(out.paint('yellow', terminal`  ${title}`));
      for (const line of lines) out.line(terminal`    ${line}`);
      if (!block.no_output) out.line(terminal`    output: ${block.run_dir}/`);
      if (block.orchestrator !== undefined) out.line(terminal`    ${block.orchestrator}`);
      for (const line of wayLines(block)) out.line(terminal`    ${line}`);
    }
    if (mission.plan_differs !== undefined) out.line(out.paint('yellow', `  ${mission.plan_differs}`));
    for (const step of mission.next ?? []) out.line(terminal`  next: ${stepLine(step)}`);
    for (const event of mission.events.slice(-5))
      out.line(out.paint('dim', `  ${utcText(event.at)}  ${event.text.trimEnd()}`));
    const { usage } = mission;
    if ((usage.input_tokens ?? usage.output_tokens ?? usage.cost_usd) !== null)
      out.line(terminal`  used ${countedTokens(usage)}`);
    if (mission.audit) out.line(terminal`  audit log: ${auditWords(mission.audit)}`);
    out.line(terminal`  evidence ${mission.evidence_dir}/`);
  }
  for (const one of view.found.filter(({ next }, index) => next.length > 0 || missions.length + index === 0)) {
    out.line();
    for (const line of foundLines(one)) out.line(line);
  }
  if (view.found.length > 1)
    out.line(terminal`Without a mission in the journal here: ${view.found.length}, see mission list`);
  printUnreadable(view, out);
}

/** Returns what is left of a lane whose mission no process runs; null: a process runs it, or it waits for a person. */
function leftLine(
  { left, task_id, purpose, worker, last_output_at, run_dir }: LiveWorkerView,
  now: string,
): TerminalText | null {
  if (!left) return null;
  const output = elapsedText(last_output_at, now);
  const last = output === null ? '' : `; last output ${output} ago`;
  return terminal`  left: ${task_id}, ${purpose} ${worker}: ${left.text}${last}${run_dir === '' ? '' : `; ${run_dir}`}`;
}

function progressText(live: LiveWorkerView, now: string): string {
  if (live.intervention) return `nothing runs; ${live.intervention.path ?? 'its packet is being written'}`;
  if (live.memory || live.run_dir === '') return 'nothing runs';
  return `${live.last_progress_at === null ? 'last progress unknown' : liveText(live, now)}; ${live.run_dir}`;
}

/** Returns what the driver knows of tasks that were attempted. Tasks with the same facts share their lines. */
function factLines(tasks: readonly TaskView[]): readonly TerminalText[] {
  const same = new Map<string, { readonly ids: string[]; readonly facts: NonNullable<TaskView['facts']> }>();
  for (const { task_id, facts = [], last_attempt } of tasks) {
    if (!last_attempt && !facts.some(({ name }) => name === 'Revised')) continue;
    const key = JSON.stringify(facts);
    const known = same.get(key) ?? { ids: [], facts };
    known.ids.push(task_id);
    same.set(key, known);
  }
  return [...same.values()].flatMap(({ ids, facts }) => [
    terminal`  ${fewNamed(ids)}`,
    ...facts.map(({ name, value }) => terminal`    ${name.toLowerCase().padEnd(12)} ${value}`),
  ]);
}

/** Three of what a task was denied; a worker may try a hundred times. */
function deniedLines({ task_id, denied = [] }: TaskView): readonly TerminalText[] {
  const lines = denied.slice(0, 3).map((one) => terminal`  ${task_id} was denied ${one}`);
  return denied.length > 3 ? [...lines, terminal`  ${task_id} was denied more, which its evidence tells`] : lines;
}

/** Returns what confined the tasks that ran, those with the same confinement in one line. */
function confinementLines(tasks: readonly TaskView[]): readonly TerminalText[] {
  return confinements.flatMap((confinement) => {
    const confined = tasks.filter((task) => task.confinement === confinement).map(({ task_id }) => task_id);
    return confined.length === 0
      ? []
      : [terminal`  confined by ${confinementWords[confinement]}: ${fewNamed(confined)}`];
  });
}

function printUnreadable(view: MissionControlView, out: Output): void {
  for (const { mission_id, reason } of view.unreadable)
    out.line(out.paint('red', `${mission_id}: cannot be read: ${reason}`));
}
