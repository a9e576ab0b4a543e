import { elapsedText } from '../../contracts/page/liveView';
import { possibleSteps, standingLines, type BlockView } from '../../contracts/page/blockView';
import { lineText } from '../../base/text/amounts';
import type { MissionView, TaskView } from '../../contracts/page/missionView';
import type { IgnoredBy } from '../../contracts/vocabulary/files/evidenceFiles';
import { shownWait } from '../../contracts/vocabulary/waits';
import type { EvidenceOfFolder } from '../../core/view/evidence/shownEvidence';
import type { Halt } from '../../engine/mission/listeners';
import { exitCodes, type ExitCode, type Output } from '../shell/output';
import { milestoneLines, taskTime } from './progressText';
import { answerWords, askedSentence, attemptsWords, missionWord, taskWord, shownCode } from '../../base/text/words';
import { offeredSteps, stepLine, stepLines } from '../../base/text/steps';
import { ignoredReason, ignoredStep } from '../../base/text/ignoredEvidence';
import { inColumns, terminal, type TerminalText } from '../../base/text/marked/terminal';
import { fewNamed } from '../../base/text/firstNamed';

/** The document that `mission run` ends with. */
export type MissionResult = ReturnType<typeof missionResult> & {
  /** The rule by which git ignores the evidence, so that no commit keeps it; absent: git keeps it, or is not used. */
  readonly evidence_ignored?: IgnoredBy;
};

/** `halt`: why the runner stopped before the end. */
export function missionResult(view: MissionView, halt: Halt | null) {
  const why = halt ?? view.ending ?? view.blocks[0] ?? view.attention;
  const [code, reason] = [why?.code ?? undefined, why?.reason];
  return {
    mission_id: view.mission_id,
    plan_id: view.plan_id,
    state: view.execution,
    // The runner may have stopped after the mission's end was decided.
    status: halt && view.ending ? 'halted' : view.status,
    code,
    reason,
    tasks: view.tasks.map((task) => ({
      task_id: task.task_id,
      status: task.status,
      code: task.code,
      ...(task.reason === '' ? {} : { reason: task.reason }),
      attempts: task.attempts,
      ...(task.validations !== undefined && { validations: task.validations }),
    })),
    evidence_dir: view.evidence_dir,
    packets: view.blocks.map(({ packet_id, task_id, state, code: blockCode, category, packet_path, question }) => ({
      packet_id,
      task_id,
      state,
      code: blockCode,
      category,
      path: packet_path,
      ...(question && { question }),
    })),
    ...(view.next && !halt && { next: stepLines(view.next) }),
    ...(halt ? { halt } : {}),
  };
}

export function exitOfMission({ status }: MissionView, halt: Halt | null): ExitCode {
  if (halt) return exitCodes.environment;
  if (status === 'completed') return exitCodes.ok;
  return status === 'failed' || status === 'cancelled' ? exitCodes.failed : exitCodes.blocked;
}

export function printResult(view: MissionView, halt: Halt | null, out: Output): void {
  const good = view.status === 'completed' && !halt;
  const of = { mission: view.mission_id };
  const took = elapsedText(view.started_at, view.ended_at ?? view.updated_at);
  const bad = view.status === 'failed' || view.status === 'cancelled' || halt;
  out.line();
  out.line(
    terminal`${out.paint(good ? 'green' : bad ? 'red' : 'yellow', `Mission ${halt ? 'halted' : missionWord(view)}`)}${took === null ? '' : ` after ${took}`}: ${halt ? `the runner stopped (${[halt.code, ...(halt.phases ?? [])].join('; ')}): ${halt.reason}` : view.headline}`,
  );
  for (const line of milestoneLines(view)) out.line(line);
  const tasks = taskLines(view, view.updated_at);
  if (tasks.length > 0) out.line(terminal.lines(tasks));
  for (const line of verificationLines(view)) out.line(line);
  if (view.attention?.next && !halt) {
    out.line();
    out.line(out.paint('yellow', `It needs you${view.attention.code === null ? '' : ` (${view.attention.code})`}.`));
    for (const step of view.attention.next) out.line(terminal`  next    ${stepLine(step)}`);
  }
  for (const block of view.blocks) {
    out.line();
    const { title, lines } = blockSection(block, view.interrupted, 20);
    out.line(out.paint('yellow', title));
    for (const line of lines) out.line(terminal`  ${line}`);
    if (block.packet_path !== null) out.line(terminal`  packet  ${block.packet_path}`);
    if (!block.no_output) out.line(terminal`  output  ${block.run_dir}/`);
    for (const line of wayLines(block, 'next    ')) out.line(terminal`  ${line}`);
  }
  out.line();
  out.line(terminal`Evidence  ${view.evidence_dir}/`);
  if (!halt) for (const line of leftToDo(view)) out.line(line);
  const [seen] = offeredSteps(view.mission_id, view.offers, 'acknowledge');
  if (seen && !halt) {
    // A line that is a command and nothing else can be pasted.
    out.line(terminal`Next, before anything else runs here, record that you saw the failure:`);
    out.line(terminal`${stepLine(seen)}`);
    out.line(terminal`Or write a revision of the plan:`);
    out.line(terminal`${stepLine({ command: 'plan revise', args: of })}`);
  }
  if (view.ending && !halt) out.line(terminal`Verify    mission evidence verify ${view.plan_id}`);
  else out.line(terminal`Status    mission status ${view.mission_id}`);
  if (halt) {
    out.line(terminal`Doctor    mission doctor`);
    if (!view.ending) out.line(terminal`Go on     ${stepLine({ command: 'resume', args: of })}`);
    // The next owner may meet the same mistake of ours.
    if (!view.ending && halt.code === 'INVARIANT_BROKEN')
      out.line(terminal`If it stops again: ${stepLine({ command: 'cancel', args: of })}`);
  }
}

/** Prints the rule by which git ignores the evidence, below how the mission stands. */
export function printIgnored({ evidence_dir }: MissionView, ignored: IgnoredBy, out: Output): void {
  out.line(terminal`Ignored   ${out.paint('yellow', ignoredReason(evidence_dir, ignored))}`);
  out.line(terminal`          ${ignoredStep(evidence_dir)}`);
}

/** A block in a terminal, but for its steps. @param most of its details; the packet has all */
export function blockSection(
  block: BlockView,
  interrupted: boolean,
  most: number,
): { readonly title: TerminalText; readonly lines: readonly TerminalText[] } {
  const { task_id, reason, details, packet_id } = block;
  const more = details.length - most;
  return {
    title: terminal`Task ${task_id} ${blockStands(block)} (${blockWord(block)}): ${reason}`,
    lines: [
      ...questionLines(block),
      ...details.slice(0, most).map((detail) => terminal`  - ${detail}`),
      ...(more > 0 ? [terminal`  - and ${more} more: mission packet show ${packet_id}`] : []),
      ...standingLines(block, interrupted).map((line) => terminal`${lineText(line)}`),
    ],
  };
}

function questionLines({ task_id, question }: MissionView['blocks'][number]): readonly TerminalText[] {
  if (!question) return [];
  const then = answerWords(question.leads_to);
  return [
    terminal`${askedSentence({ task_id, question })}`,
    ...question.choices.map(({ id, text }) => terminal`  choice ${id}: ${text}`),
    ...(then === null ? [] : [terminal`${then}`]),
  ];
}

/** The same mission with the lines that a person types, for a document. */
export function withLines({ attention, next, blocks, ...view }: MissionView): object {
  return {
    ...view,
    attention: attention && { ...attention, ...(attention.next && { next: stepLines(attention.next) }) },
    ...(next && { next: stepLines(next) }),
    blocks: blocks.map((block) => ({ ...block, next: stepLines(possibleSteps(block)) })),
  };
}

/** The ways out that mend the block, each with what comes first; then the other possible steps. */
export function wayLines({ ways }: Pick<BlockView, 'ways'>, mark = 'next: '): readonly TerminalText[] {
  const possible = ways.filter(({ refused }) => !refused);
  return possible.flatMap(({ step, label, does, helps, recommended }) => [
    ...(helps ? [terminal`${recommended ? 'recommended' : 'helps'}: ${label}. ${does}`] : []),
    terminal`${mark}${stepLine(step)}`,
  ]);
}

/** Says what lies on the disk of a mission that no journal here knows, and what brings it back. */
export function foundLines({ plan_id, dir, says, tasks, packets, next }: EvidenceOfFolder): readonly TerminalText[] {
  return [
    terminal`${plan_id}  not in the journal here`,
    ...says.map((line) => terminal`  ${line}`),
    ...inColumns(
      tasks.map(({ task_id, description }) => [task_id, description]),
      '  ',
    ),
    ...packets.map(({ path }) => terminal`  packet ${path}`),
    terminal`  evidence ${dir}/`,
    ...next.map((step) => terminal`  next: ${step}`),
  ];
}

function blockStands(block: BlockView): string {
  const [wait, { decided, state }] = [shownWait(block), block];
  if (wait) return wait.words.stands;
  if (decided === undefined) return 'needs you';
  return state === 'left_blocked' ? 'is left blocked' : 'waits for your command';
}

function blockWord({ stopped, category, code }: MissionView['blocks'][number]): string {
  return stopped === true ? 'stopped' : (category ?? code ?? 'blocked');
}

/** @param now ISO-8601 */
export function taskLines(view: MissionView, now: string): readonly TerminalText[] {
  const rows = view.tasks.map((task) => [
    task.task_id,
    taskWord(task),
    task.worker,
    attemptsWords(task.attempts, task.validations),
    taskTime(task, now),
    verifyWord(task),
    [shownCode(task) ?? '', task.reason === 'verified' ? '' : task.reason].filter((text) => text !== '').join(' '),
  ]);
  return inColumns(rows, '  ');
}

/** Says how many of its verify commands passed; nothing before its first attempt. */
function verifyWord({ attempts, verified: { passed, ran, total } }: TaskView): string {
  if (total === 0 || attempts === 0) return '';
  return ran === 0 ? 'verify not run' : `verify ${passed}/${total}`;
}

/** Says how far the verification of each task came that is not done. */
function verificationLines({ tasks }: MissionView): readonly TerminalText[] {
  return tasks.flatMap(({ task_id, status, verification }) =>
    verification === undefined || status === 'done' ? [] : [terminal`  ${task_id} verification: ${verification}`],
  );
}

/** The tasks that a paused mission has left, and the commands that go on with it or end it; else empty. */
function leftToDo({ status, ending, tasks, next = [] }: MissionView): readonly TerminalText[] {
  if (status !== 'paused' || ending !== null) return [];
  const left = tasks.filter((task) => task.status !== 'done' && task.status !== 'canceled');
  const names = fewNamed(left.map(({ task_id }) => task_id));
  return [
    ...(left.length === 0 ? [] : [terminal`Left      ${left.length} of ${tasks.length} tasks: ${names}`]),
    ...next.map((step, index) => terminal`${(index === 0 ? 'Next' : 'Or').padEnd(10)}${stepLine(step)}`),
  ];
}

/** Returns what a person can decide about a packet now, each with its command line; last what is not possible, and why. */
export function choiceLines(block: BlockView, interrupted: boolean): readonly TerminalText[] {
  const refused = block.ways.filter((way) => way.refused);
  const { title, lines } = blockSection(block, interrupted, 5);
  return [
    title,
    ...lines.map((line) => terminal`  ${line}`),
    terminal``,
    terminal`Possible now:`,
    ...block.ways.flatMap((way) =>
      way.refused
        ? []
        : [
            terminal`  ${wayName(way)}${way.recommended ? ' (recommended)' : ''}. ${way.does}`,
            terminal`    next: ${stepLine(way.step)}`,
          ],
    ),
    ...(refused.length > 0 ? [terminal`Not possible now:`] : []),
    ...refused.map((way) => terminal`  ${wayName(way)}: ${way.refused?.reason ?? ''}`),
    terminal``,
  ];
}

function wayName({ label, outcome }: BlockView['ways'][number]): string {
  return outcome === undefined ? label : `${outcome}: ${label}`;
}
