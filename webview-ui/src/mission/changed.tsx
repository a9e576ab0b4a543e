import type { JSX } from 'preact';
import { criterionWords, shownCode } from '../../../src/base/text/words';
import type { ShownMission, LinesView, PanelTask, TaskRowView } from '../../../src/contracts/page/panelView';
import { Fold, Part, Code, OpenLink, Text, CodeWord, Texts } from '../shell/text';
import { inBrowser } from '../shell/host';
import { WhatYouCanDo } from './attention';
import { FileLink, noted } from './files';

/** A mission with fewer tasks lists them all. */
const listedAtMost = 12;

/** Shows first what an ended mission changed; of a failed one, the files of its failed tasks come first. */
export function WhatChanged({ mission: { view, rows, palette } }: { readonly mission: ShownMission }): JSX.Element {
  const failed = view.ending?.outcome === 'FAILED' && !view.ending.cancelled;
  const tone = failed ? ' bad' : view.ending?.cancelled ? '' : ' good';
  const touched = view.tasks
    .map((task, index) => ({ task, row: rows[index] }))
    .filter(({ task: { changed, status } }) => changed.length > 0 || status === 'failed')
    .sort((left, right) => Number(right.task.status === 'failed') - Number(left.task.status === 'failed'));
  // The files of a mission of a fleet are on its host.
  const away = view.runs_on !== undefined;
  const files = new Set(touched.flatMap(({ task }) => task.changed)).size;
  const steps = view.attention?.next ?? view.next ?? [];
  const parts = touched.map(({ task, row }) => (
    <ChangedBy key={task.task_id} task={task} row={row} headline={view.headline} away={away} />
  ));
  return (
    <section class={`card${tone}`} data-section="changed" aria-label="What changed">
      <h2 class="plain">
        {failed ? 'What was touched' : 'What changed'}: {files} {files === 1 ? 'file' : 'files'}
      </h2>
      {files === 0 || away ? null : (
        <p class="links">
          {inBrowser() ? (
            <Code of={`mission diff ${view.mission_id}`} />
          ) : (
            <OpenLink target={{ kind: 'diff' }}>Review Changes</OpenLink>
          )}
        </p>
      )}
      <Text as="p" of={failed && view.ending.reason !== view.headline ? view.ending.reason : null} />
      {parts.slice(0, listedAtMost)}
      {parts.length > listedAtMost ? (
        <Fold name="changed" title={`${parts.length - listedAtMost} more tasks`}>
          {() => parts.slice(listedAtMost)}
        </Fold>
      ) : null}
      {steps.length === 0 ? null : (
        <div data-section="attention">
          <WhatYouCanDo steps={steps} palette={palette} />
        </div>
      )}
      {view.success_criteria.length === 0 ? null : view.success_criteria.every(({ result }) => result === 'met') ? (
        <Fold name="criteria" title={allMet(view.success_criteria.length)}>
          {() => <Criteria of={view.success_criteria} />}
        </Fold>
      ) : (
        <Part name="criteria" title="Success criteria">
          <Criteria of={view.success_criteria} />
        </Part>
      )}
    </section>
  );
}

function allMet(count: number): string {
  return count === 1 ? 'Success criterion: met' : `Success criteria: all ${count} met`;
}

function Criteria({ of }: { readonly of: ShownMission['view']['success_criteria'] }): JSX.Element {
  return (
    <ul class="plainList">
      {of.map(({ criterion, result, accepted_by, detail }) => (
        <li key={criterion}>
          <span class={marks[result][1]} aria-hidden="true">
            {marks[result][0]}
          </span>{' '}
          <Text of={criterion} />: <b>{criterionWords({ result, accepted_by })}</b>{' '}
          <Text as="span" class="dim" of={detail} />
        </li>
      ))}
    </ul>
  );
}

const marks = {
  met: ['✓', 'good'],
  accepted: ['·', 'dim'],
  unmet: ['✕', 'bad'],
  not_machine_checked: ['·', 'dim'],
} as const;

const filesAtMost = 10;

/**
 * Shows what a task changed; each file can be opened. Files that the task failed for come first, with the reason.
 * @param headline the mission's sentence, which this part does not repeat
 * @param away the files are not here, so none is opened
 */
function ChangedBy({
  task,
  row,
  headline,
  away,
}: {
  readonly task: PanelTask;
  readonly row: TaskRowView | undefined;
  readonly headline: string;
  readonly away: boolean;
}): JSX.Element {
  const { claim = null, lines } = row ?? {};
  const failed = task.status === 'failed';
  const { files, others } = noted(task.changed, failed ? task.details : []);
  const listed = files.slice(0, Math.max(filesAtMost, files.filter(({ note }) => note !== null).length));
  return (
    <div class="changedBy" data-task-changed={task.task_id}>
      <Text as="b" of={task.task_id} />
      <div class="what">
        {failed ? (
          <p>
            <CodeWord of={shownCode(task)} /> <Text of={headline.includes(task.reason) ? null : task.reason} />
          </p>
        ) : null}
        <ul class={failed ? 'files' : 'files inline'}>
          {listed.map(({ file, index, note }) => (
            <li key={file}>
              {away ? <Text of={file} /> : <FileLink task={task} file={file} index={index} />}
              <Text as="span" class="bad" of={note === null ? null : ` ${note}`} />
            </li>
          ))}
          <Texts as="li" class="bad" of={others.slice(0, filesAtMost)} />
        </ul>
        {files.length > listed.length ? <span class="dim">and {files.length - listed.length} more</span> : null}
        {claim === null || claim.same ? null : (
          <p class="warn">
            Its result differs from what was found: <Text of={claim.text} />
          </p>
        )}
      </div>
      <Lines of={lines} />
      {task.changed.length === 0 || away || inBrowser() ? null : (
        <OpenLink target={{ kind: 'diff', task_id: task.task_id }} label={`Diff of ${task.task_id}`}>
          Diff
        </OpenLink>
      )}
    </div>
  );
}

/** Shows added lines before removed ones, in words for a screen reader. */
function Lines({ of }: { readonly of: LinesView | undefined }): JSX.Element | null {
  if (of === undefined) return null;
  const { added, removed, unknown } = of;
  const isKnown = added + removed > 0 || unknown === 0;
  return (
    <span class="lines" data-lines>
      {isKnown ? (
        <>
          <span class="good">
            {`+${added}`}
            <span class="hidden"> lines added,</span>
          </span>{' '}
          <span class="bad">
            {`−${removed}`}
            <span class="hidden"> lines removed</span>
          </span>
        </>
      ) : null}
      {unknown > 0 ? (
        <span class="dim">{`${isKnown ? ', ' : ''}${unknown} ${unknown === 1 ? 'file' : 'files'} unknown`}</span>
      ) : null}
    </span>
  );
}
