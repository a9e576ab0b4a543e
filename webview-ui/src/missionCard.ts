import type { BlockView, MissionView, TaskView } from '../../src/contracts/missionView';
import { elapsedText } from '../../src/contracts/missionView';
import { page } from '../../src/base/text/page';
import { auditWords, missionWord, taskWord } from '../../src/base/text/words';
import { confinementOf, recoveries } from './confinement';
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
    el('p', { class: 'headline' }, mission.headline),
    progress(mission),
    attentionCallout(mission.attention),
    ...mission.blocks.map((block) => blockCallout(block, mission.tasks)),
    ...mission.tasks
      .filter(({ status }) => status === 'failed')
      .map((task) => failureCallout(task, mission.acknowledged)),
    mission.lanes.length === 0 ? null : el('div', { class: 'lanes' }, ...mission.lanes.map(liveStrip)),
    tasksTable(mission.tasks),
    recoveries(mission),
    mission.success_criteria.length > 0 ? criteria(mission) : null,
    confinementOf(mission),
    events(mission),
    facts(mission),
  );
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
    el(
      'p',
      {},
      el('strong', {}, 'What you can do: '),
      attention.code === 'INTERVENTION_REQUIRED'
        ? 'Mission Control: Complete Intervention in the command palette: it opens the packet, and takes it over once it is complete. On the command line:'
        : 'mend it, then Mission Control: Resume, or Cancel Mission, in the command palette. The steps:',
    ),
    el(
      'ul',
      { class: 'next' },
      ...attention.next.map((step) => el('li', {}, /^mission \S/.test(step) ? commandLine(step) : step)),
    ),
  );
}

function blockCallout(block: BlockView, tasks: readonly TaskView[]): HTMLElement {
  const skippable = block.next.some((step) => step.startsWith('mission skip '));
  return el(
    'section',
    { class: 'block', role: 'alert' },
    el('h4', {}, `Task ${block.task_id} is ${taskWord({ ...block, status: 'blocked' })}`, codeOf(block)),
    el('p', {}, block.reason),
    detailsOf(block),
    verificationOf(tasks.find(({ task_id }) => task_id === block.task_id)),
    el(
      'p',
      {},
      el('strong', {}, 'What you can do: '),
      `Mission Control: ${block.denied ? 'Grant and Resume, ' : ''}Retry Task, ${skippable ? 'Skip Task, ' : ''}Open Recovery Packet, or Cancel Mission in the command palette. On the command line:`,
    ),
    el('ul', { class: 'next' }, ...block.next.map((step) => el('li', {}, commandLine(step)))),
    el(
      'p',
      { class: 'muted' },
      block.packet_path === null ? 'The recovery packet is being written.' : `Recovery packet: ${block.packet_path}`,
      block.state === 'left_blocked' ? ' (left blocked on purpose)' : '',
    ),
  );
}

function failureCallout(task: TaskView, acknowledged: boolean): HTMLElement {
  return el(
    'section',
    { class: 'block', role: 'alert' },
    el('h4', {}, `Task ${task.task_id} failed`, codeOf(task)),
    el('p', {}, task.reason),
    detailsOf(task),
    verificationOf(task),
    acknowledged
      ? null
      : el(
          'p',
          {},
          el('strong', {}, 'What you can do: '),
          'Mission Control: Open Evidence, then Acknowledge Failure in the command palette.',
        ),
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
  const asksModels = mission.tasks.some((task) => task.worker !== 'command');
  const tokens =
    usage.input_tokens === null && usage.output_tokens === null
      ? 'unknown'
      : `${usage.input_tokens ?? '?'} in, ${usage.output_tokens ?? '?'} out`;
  return el(
    'dl',
    { class: 'facts' },
    ...entry('Plan', `${mission.plan_path} (${mission.plan_sha256.slice(0, 12)})`, mission.plan_sha256),
    ...entry(
      'Approved',
      `${mission.approval.here ? `here by ${mission.approval.here.by}; ` : ''}the file says ${mission.approval.by ?? 'nobody'}`,
    ),
    ...(asksModels
      ? entry('Tokens', usage.cost_usd === null ? tokens : `${tokens}, $${usage.cost_usd.toFixed(4)}`)
      : []),
    ...(mission.audit ? entry('Audit log', auditWords(mission.audit)) : []),
    ...entry('Evidence', mission.evidence_dir),
    ...entry('Mission', mission.mission_id),
  );
}

function entry(name: string, value: string, title = value): readonly HTMLElement[] {
  return [el('dt', {}, name), el('dd', { title }, value)];
}
