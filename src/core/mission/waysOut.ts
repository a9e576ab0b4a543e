import { fewNamed } from '../../base/text/firstNamed';
import { withoutEnd } from '../../base/text/plainLine';
import { decisionStep, stepLine } from '../../base/text/steps';
import { asLeft } from '../../base/fileState';
import { answerWords } from '../../base/text/words';
import type { MissionCommand } from '../../contracts/commands/missionCommand';
import type { WayView } from '../../contracts/page/blockView';
import { recoveryOutcomes, type RecoveryOutcome } from '../../contracts/vocabulary/recovery';
import { commandEntries } from '../../contracts/vocabulary/commands';
import type { PlanEdit, Step } from '../../contracts/vocabulary/steps';
import { changedNothing } from '../lifecycle/judge/judgeMissingChange';
import { sentBack } from '../model/waitingWork';
import type { Mission, Packet, TaskRow, Tasks, Progress, ReceivedPlan } from '../model/state';
import { inScope } from '../paths/compare';
import { outcomeTexts } from '../packets/packet';
import { waitOf } from './resolve/waits';
import { behaviours } from './commandTable';
import { refusedIfAsked } from './commands';
import { refuse, type Refused } from './parts/commandDecision';
import { observedOf } from './evidence/outputs';
import { askingPacket, leadsTo } from './questions/questions';
import { deniedOf } from './resolve/grant';
import { blockFacts, type BlockFacts } from './resolve/blockFacts';
import { editProblem } from './resolve/planEdits';
import { remediesOf } from './resolve/remedies';
import type { Remedy } from './resolve/remedySteps';

import { reviseStep, revisable } from './revision/supersede';

/** Every way out of a block: what is possible first, the likeliest at the head. Guards and rules were asked of each. */
export function waysOut(mission: Mission, row: TaskRow, packet: Packet, ownerless = false): readonly WayView[] {
  const facts = blockFacts(mission, row, packet);
  const remedies = remediesOf(facts);
  const labelOf = (step: Step): string => wordsOf(mission, row, step).label;
  // These are only listed: a person looks for them.
  const isHint = new Set<Step>(remedies.flatMap((one) => ('hint' in one ? one.step : [])));
  const named = new Set(remedies.map(({ step }) => labelOf(step)));
  const others = otherSteps(mission, row, packet).flatMap((step) => (named.has(labelOf(step)) ? [] : [{ step }]));
  const shown = [...remedies, ...others].map((way: Remedy | { readonly step: Step }, index): WayView => {
    const { step } = way;
    const outcome = outcomeOf(step);
    const refused = stepRefusal(mission, row, step, ownerless);
    const { label, does } = wordsOf(mission, row, step);
    const before = 'first' in way ? way.first : 'differs' in way ? way.differs : undefined;
    return {
      step,
      label,
      does: [before ?? [], does, leftOut(step, facts)].flat().join(' '),
      ...(outcome && { outcome, safe_when: outcomeTexts[outcome].safeWhen }),
      ...(index < remedies.length && { helps: true as const }),
      ...(refused && { refused: { reason: refused.reason, next: refused.next } }),
    };
  });
  const possible = shown.filter(({ refused }) => !refused);
  // A task that goes on by itself needs nothing.
  const best = waitOf(mission, packet)?.goesOn
    ? undefined
    : possible.find(({ helps, step }) => helps && !isHint.has(step));
  return [
    ...possible.map((way) => (way === best ? { ...way, recommended: true as const } : way)),
    ...shown.filter(({ refused }) => refused),
  ];
}

/** The steps that are possible for a blocked task, the recommended one first. */
export function possibleStepsOf(mission: Mission, row: TaskRow): readonly Step[] {
  const packet = mission.packets.findLast(({ task_id }) => task_id === row.task.task_id);
  return packet ? waysOut(mission, row, packet).flatMap(({ step, refused }) => (refused ? [] : [step])) : [];
}

/** Lists the steps of any block, in the order in which they are shown. */
function otherSteps({ mission_id: mission }: ReceivedPlan, { task }: TaskRow, { packet_id }: Packet): readonly Step[] {
  const of = { mission, task: task.task_id };
  const resolve = (outcome: RecoveryOutcome): Step => ({
    command: 'packet resolve',
    args: { packet: packet_id, outcome },
  });
  return [
    { command: 'rerun-validation', args: of },
    { command: 'retry', args: of },
    ...recoveryOutcomes.filter((one) => one !== 'retry-repair' && one !== 'rerun-validation').map(resolve),
    { command: 'undo', args: of },
    { command: 'skip', args: of },
    { command: 'plan revise', args: { mission } },
    { command: 'cancel', args: { mission } },
  ];
}

/** The outcome of the packet that a step chooses; undefined: it is another command. */
function outcomeOf(step: Step): RecoveryOutcome | undefined {
  if (step.command === 'packet resolve') return step.args.outcome;
  if (step.command === 'retry') return 'retry-repair';
  return step.command === 'rerun-validation' ? 'rerun-validation' : undefined;
}

/** Says why a step is not possible now, as the guard and the rules say that would judge it; null: it is. */
function stepRefusal(mission: Mission, row: TaskRow, step: Step, ownerless: boolean): Refused | null {
  if (step.command === 'plan revise') {
    if (!revisable(mission))
      return refuse('PLAN_SUPERSEDED', 'The mission goes on elsewhere, so its plan is not revised here.', [
        `mission status ${mission.mission_id}`,
      ]);
    const no = step.args.edit ? editProblem(mission, step.args.edit) : null;
    return no === null ? null : refuse('REVISION_INVALID', no, [reviseStep(mission)]);
  }
  const ungranted = step.command === 'grant' ? deniedOf(mission, row.task.task_id)?.ungranted : undefined;
  if (ungranted !== undefined) return refuse('GRANT_INVALID', ungranted, [decisionStep('resume', mission.mission_id)]);
  const command = commandOf(mission, row, step);
  return command && refusedIfAsked(mission, command, ownerless);
}

/** The decision that a step asks for, with a placeholder for what the person writes; null: it asks for no decision. */
export function commandOf(mission: Mission, { task }: TaskRow, { command, args }: Step): MissionCommand | null {
  const [type, entry] = commandEntries.find(([, { line }]) => line === command) ?? [];
  const { task_id } = task;
  const made = type && behaviours[type].ofStep?.(args as never, task_id, mission);
  if (made || !entry?.plain) return made ?? null;
  return { type, ...(entry.about === 'task' && { task_id }) } as MissionCommand;
}

interface Words {
  readonly label: string;
  readonly does: string;
}

/** Names a step in a list, and says what it does to this task, for a person. */
function wordsOf(mission: Progress, row: TaskRow, step: Step): Words {
  const { task } = row;
  switch (step.command) {
    case 'retry':
      return { label: 'Try it again', does: retryWords(mission, row) };
    case 'rerun-validation':
      return {
        label: 'Validate again',
        does: 'The result that is there is judged once more. The task does not run again.',
      };
    case 'accept':
      return { label: 'Accept the changes', does: 'Changes that block it may stay as they are, each by its name.' };
    case 'skip':
      return { label: 'Skip it', does: 'The mission goes on without it and what depends on it.' };
    case 'undo':
      return {
        label: 'Undo the attempt',
        does: 'Its files are put back as they were before it, where they are as it left them. You are shown each first, and can take it back.',
      };
    case 'grant':
      return {
        label: 'Grant it',
        does: `For one attempt, what its worker was denied: ${step.args.place}${opensWords(mission, row)}`,
      };
    case 'answer': {
      const asking = askingPacket(mission, task.task_id);
      const chosen = asking?.question.choices.find(({ id }) => id === step.args.choice);
      return {
        label: chosen ? `Answer: ${withoutEnd(chosen.text)}` : 'Answer it',
        does: (asking && answerWords(leadsTo(mission, asking) ?? undefined)) ?? 'The mission goes on by your answer.',
      };
    }
    case 'packet resolve':
      return step.args.outcome === 'resume' && sentBack(mission, row)
        ? { label: 'Begin without that work', does: withoutWords }
        : resolveWords(step.args.outcome, task);
    case 'packet revise':
      return step.args.field === 'note'
        ? { label: 'Add a note', does: 'Its agent reads the note in the next attempt. Then try it again.' }
        : {
            label: 'Give it more time',
            does: `Its ${step.args.field} becomes ${step.args.value ?? ''} s. Then it is tried or validated again.`,
          };
    case 'plan revise':
      return revisionWords(step.args.edit);
    case 'context new':
      return { label: 'Create ai.project.json', does: 'It is written from what is found, and you fill in the rest.' };
    case 'resume':
      return { label: 'Resume the mission', does: 'The task is tried again.' };
    case 'cancel':
      return { label: 'Cancel the mission', does: 'Its open tasks are canceled, and its evidence is written.' };
    case 'pause':
    case 'acknowledge':
    case 'stop':
    case 'intervene':
    case 'memory confirm':
    case 'journal verify':
    case 'mend':
      return { label: stepLine(step), does: '' };
  }
}

/** Says what a grant of a file opens that is not there; empty: the place itself. */
function opensWords(mission: Progress, { task }: TaskRow): string {
  const { opens } = deniedOf(mission, task.task_id) ?? {};
  return opens === undefined ? '' : `. It is not there yet, so its whole folder is opened: ${opens}`;
}

/** Names what a revision does not open beside what it opens. */
function leftOut(step: Step, { closed }: BlockFacts): readonly string[] {
  if (closed.length === 0 || step.command !== 'plan revise' || step.args.edit?.kind !== 'writes') return [];
  return [`It leaves out ${fewNamed(closed)}, because no plan may approve ${closed.length === 1 ? 'it' : 'them'}.`];
}

function revisionWords(edit: PlanEdit | undefined): Words {
  const then = 'You approve it, which ends this mission, and its run goes on with what is done.';
  switch (edit?.kind) {
    case 'writes': {
      const isOne = edit.paths.length === 1;
      const [those, them, as] = isOne ? ['that path', 'it', 'a path'] : ['these paths', 'them', 'paths'];
      return {
        label: `Let it write ${fewNamed(edit.paths)}`,
        does: `A revision of the plan is written with ${those}: as scratch where git ignores ${them}, else as ${as} of ${edit.task}. ${then}`,
      };
    }
    case 'network':
      return {
        label: 'Give its commands a network',
        does: `A revision of the plan is written with execution.network: they then reach every host, and read places of keys such as ~/.ssh. ${then}`,
      };
    case 'opens':
      return {
        label: `Let its commands use ${fewNamed(edit.entries)}`,
        does: `A revision of the plan is written that opens this, and nothing else. ${then}`,
      };
    case 'layers':
      return {
        label: 'Make its folders no mounts',
        does: `A revision of the plan is written with execution.layers "all", so that a task may replace its folders and rename between them. ${then}`,
      };
    case undefined:
      return { label: 'Revise the plan', does: `A revision of the plan is written for you to edit. ${then}` };
  }
}

function resolveWords(outcome: RecoveryOutcome, { worker }: TaskRow['task']): Words {
  switch (outcome) {
    case 'ask-user':
      return {
        label: 'Ask a person',
        does:
          worker === 'command'
            ? 'You word a question. The answer is recorded and runs nothing, because a command reads no answer.'
            : 'You word a question. The task waits until a person answers it; every answer tries it again.',
      };
    case 'leave-blocked':
      return {
        label: 'Leave it blocked',
        does: 'You say why. The task stays blocked, and you can still decide later.',
      };
    case 'resume':
    case 'retry-repair':
    case 'rerun-validation':
      return { label: 'Resume the mission', does: 'The mission goes on with this task as it stands.' };
  }
}

const withoutWords =
  'A new attempt starts from the files as they are now. The work that was sent back goes with its layer.';

function retryWords(mission: Progress, row: TaskRow): string {
  if (row.task.validator) return 'The milestone is validated anew.';
  if (sentBack(mission, row))
    return 'A new attempt goes on with the work that was sent back, if its layer is still there.';
  const same = changedNothing(row) ? ' It blocks again if it changes nothing.' : '';
  return `A new attempt starts from the files as they are now${stayingFiles(mission, row)}.${same}`;
}

/** `; the 2 files that changed in its approved paths stay`; empty: none. A file that was put back does not count. */
function stayingFiles({ file_system: { comparison } }: Tasks, row: TaskRow): string {
  const files = observedOf(row).filter(({ path }) => inScope(path, row.scope.paths, comparison));
  const gone = files.filter((file) => asLeft(file).kind === 'nothing').length;
  const words = (count: number, how: string, deleted: string): string => {
    if (count === 0) return '';
    const [those, stay] = count === 1 ? [`file that ${how}`, 'stays'] : [`${count} files that ${how}`, 'stay'];
    return `; the ${those} in its approved paths ${stay}${deleted}`;
  };
  return `${words(files.length - gone, 'changed', '')}${words(gone, gone === 1 ? 'was deleted' : 'were deleted', ' deleted')}`;
}
