import type { BlockView, MissionView, TaskView } from '../../src/contracts/missionView';
import { elapsedText } from '../../src/contracts/missionView';
import { page } from '../../src/base/text/page';
import { paletteWords } from '../../src/base/text/palette';
import { askedSentence, auditWords, countedTokens, missionWord, taskWord } from '../../src/base/text/words';
import { recoveries } from './recoveries';
import { commandLine, el, since, time } from './dom';
import { liveStrip } from './liveStrip';
import { codeOf, tasksTable } from './tasksTable';

/** One mission: state, progress, running work, blocks, last events. */
export function missionCard(mission: MissionView): HTMLElement {
  const titleId = `title-${mission.mission_id}`;
  return el(
    'article',
    { class: `mission ${mission.status}`, 'aria-labelledby': titleId, 'data-mission': mission.mission_id },
    el(
      'header',
      {},
      el('h3', { id: titleId }, mission.plan_id),
      el('span', { class: `badge ${mission.interrupted ? 'interrupted' : mission.status}` }, missionWord(mission)),
      el('span', { class: 'envelope', title: 'State of the execution envelope' }, mission.execution),
      el('span', { class: 'muted right' }, missionTime(mission)),
    ),
    // A callout with the same words follows.
    mission.attention?.next && mission.attention.reason === mission.headline
      ? null
      : el('p', { class: 'headline' }, mission.headline),
    revisionLine(mission),
    progress(mission),
    attentionCallout(mission.attention),
    ...mission.blocks.map((block) => blockCallout(block, mission.tasks)),
    ...mission.tasks.filter(({ status }) => status === 'failed').map(failureCallout),
    ...stepsToTake(mission.next ?? []),
    mission.lanes.length === 0 ? null : el('div', { class: 'lanes' }, ...mission.lanes.map(liveStrip)),
    tasksTable(mission.tasks),
    recoveries(mission),
    mission.success_criteria.length > 0 ? criteria(mission) : null,
    events(mission),
    facts(mission),
  );
}

/** Which plan it revises, and which took its place. */
function revisionLine({ supersedes, superseded_by }: MissionView): HTMLElement | null {
  const words = [
    ...(supersedes === undefined ? [] : [`Revision of ${supersedes}.`]),
    ...(superseded_by === undefined ? [] : [`Superseded by ${superseded_by}.`]),
  ];
  return words.length === 0 ? null : el('p', { class: 'muted' }, words.join(' '));
}

/** How long it has run, or ran. */
function missionTime(mission: MissionView): HTMLElement | string | null {
  if (mission.ended_at !== null) return `took ${elapsedText(mission.started_at, mission.ended_at) ?? 'unknown'}`;
  return since(mission.started_at, 'started ', ' ago');
}

function progress(mission: MissionView): HTMLElement {
  const total = mission.tasks.length;
  const bar = el('progress', {
    max: String(total),
    value: String(mission.done),
    'aria-label': `${mission.done} of ${total} tasks done`,
  });
  return el('div', { class: 'progress' }, bar, el('span', {}, `${mission.done} of ${total} tasks done`));
}

/** What stopped the runner itself; the headline says why. */
function attentionCallout(attention: MissionView['attention']): HTMLElement | null {
  if (!attention?.next || attention.next.length === 0) return null;
  return el(
    'section',
    { class: 'block', role: 'alert' },
    el('h4', {}, 'Nothing goes on', attention.code === null ? null : el('code', {}, attention.code)),
    el('p', {}, attention.reason),
    ...stepsToTake(attention.next),
  );
}

/** What a person can do: by the palette, and as command lines. */
function stepsToTake(steps: readonly string[]): readonly HTMLElement[] {
  if (steps.length === 0) return [];
  const isCommand = (step: string): boolean => /^mission \S/.test(step);
  const palette = paletteWords(steps);
  const lead = steps.every(isCommand) ? 'On the command line:' : 'The steps:';
  return [
    el(
      'p',
      {},
      el('strong', {}, 'What you can do: '),
      palette === null ? lead : `${palette} in the command palette. ${lead}`,
    ),
    el('ul', { class: 'next' }, ...steps.map((step) => el('li', {}, isCommand(step) ? commandLine(step) : step))),
  ];
}

function blockCallout(block: BlockView, tasks: readonly TaskView[]): HTMLElement {
  return el(
    'section',
    { class: 'block', role: 'alert' },
    el('h4', {}, `Task ${block.task_id} is ${taskWord({ ...block, status: 'blocked' })}`, codeOf(block)),
    el('p', {}, block.reason),
    questionOf(block),
    detailsOf(block),
    verificationOf(tasks.find(({ task_id }) => task_id === block.task_id)),
    block.orchestrator === undefined ? null : el('p', { class: 'orchestrator' }, block.orchestrator),
    ...stepsToTake(block.next),
    el(
      'p',
      { class: 'muted' },
      block.packet_path === null ? 'The recovery packet is being written.' : `Recovery packet: ${block.packet_path}`,
      block.state === 'left_blocked' ? ' (left blocked on purpose)' : '',
    ),
  );
}

/** What a worker asks is shown as text, like everything of it. */
function questionOf({ task_id, question }: BlockView): HTMLElement | null {
  if (!question) return null;
  return el(
    'div',
    { class: 'question' },
    el('p', {}, el('strong', {}, askedSentence({ task_id, question }))),
    question.choices.length === 0
      ? null
      : el('ul', {}, ...question.choices.map(({ id, text }) => el('li', {}, el('code', {}, id), ` ${text}`))),
  );
}

function failureCallout(task: TaskView): HTMLElement {
  return el(
    'section',
    { class: 'block', role: 'alert' },
    el('h4', {}, `Task ${task.task_id} failed`, codeOf(task)),
    el('p', {}, task.reason),
    detailsOf(task),
    verificationOf(task),
  );
}

function detailsOf({ details }: Pick<BlockView | TaskView, 'details'>): HTMLElement | null {
  return details.length > 0 ? el('pre', { class: 'details' }, page.lines(details)) : null;
}

/** How far the steps of verification came. */
function verificationOf(task: TaskView | undefined): HTMLElement | null {
  return task?.verification === undefined ? null : el('p', { class: 'muted' }, `Verification: ${task.verification}`);
}

function criteria(mission: MissionView): HTMLElement {
  return el(
    'section',
    {},
    el('h4', {}, 'Success criteria'),
    el(
      'ul',
      {},
      ...mission.success_criteria.map((item) =>
        el('li', { title: item.detail }, `${item.criterion}: `, el('strong', {}, item.result.replaceAll('_', ' '))),
      ),
    ),
  );
}

function events(mission: MissionView): HTMLElement {
  return el(
    'details',
    { class: 'events', 'data-keep': `events-${mission.mission_id}` },
    el('summary', {}, `Last ${mission.events.length} events`),
    el(
      'ol',
      { reversed: '' },
      ...mission.events
        .toReversed()
        .map((event) =>
          el(
            'li',
            { value: String(event.seq) },
            time(event.at),
            ' ',
            event.text,
            ' ',
            el('span', { class: 'muted' }, event.actor),
          ),
        ),
    ),
  );
}

function facts(mission: MissionView): HTMLElement {
  const { usage } = mission;
  const used = usage.input_tokens ?? usage.output_tokens ?? usage.cost_usd;
  return el(
    'dl',
    { class: 'facts' },
    ...entry('Plan', `${mission.plan_path} (${mission.plan_sha256.slice(0, 12)})`, mission.plan_sha256),
    ...entry(
      'Approved',
      `${mission.approval.here ? `here by ${mission.approval.here.by}; ` : ''}the file says ${mission.approval.by ?? 'nobody'}`,
    ),
    ...(used === null ? [] : entry('Used', countedTokens(usage))),
    ...(mission.audit ? entry('Audit log', auditWords(mission.audit)) : []),
    ...entry('Evidence', mission.evidence_dir),
    ...entry('Mission', mission.mission_id),
  );
}

function entry(name: string, value: string, title = value): readonly HTMLElement[] {
  return [el('dt', {}, name), el('dd', { title }, value)];
}
