import type { JSX } from 'preact';
import { criterionWords } from '../../../src/base/text/words';
import type { ShownMission } from '../../../src/contracts/page/panelView';
import { Fold, Part } from '../shell/fold';
import { inBrowser } from '../shell/host';
import { Code, OpenLink, Text } from '../shell/text';
import { WhatYouCanDo } from './attention';
import { ChangedBy } from './changedBy';

/** A mission with fewer tasks lists them all. */
const listedAtMost = 12;

/** Shows first what an ended mission changed; of a failed one, the files of its failed tasks come first. */
export function WhatChanged({ mission: { view, rows, palette } }: { readonly mission: ShownMission }): JSX.Element {
  const failed = view.ending?.outcome === 'FAILED' && !view.ending.cancelled;
  const tone = failed ? ' bad' : view.ending?.cancelled ? '' : ' good';
  const touched = view.tasks
    .map((task, index) => ({ task, claim: rows[index]?.claim ?? null, lines: rows[index]?.lines }))
    .filter(({ task: { changed, status } }) => changed.length > 0 || status === 'failed')
    .sort((left, right) => Number(right.task.status === 'failed') - Number(left.task.status === 'failed'));
  const files = new Set(touched.flatMap(({ task }) => task.changed)).size;
  const steps = view.attention?.next ?? view.next ?? [];
  const parts = touched.map(({ task, claim, lines }) => (
    <ChangedBy key={task.task_id} task={task} claim={claim} lines={lines} headline={view.headline} />
  ));
  return (
    <section class={`card${tone}`} data-section="changed" aria-label="What changed">
      <h2 class="plain">
        {failed ? 'What was touched' : 'What changed'}: {files} {files === 1 ? 'file' : 'files'}
      </h2>
      {files === 0 ? null : (
        <p class="links">
          {inBrowser() ? (
            <Code of={`mission diff ${view.mission_id}`} />
          ) : (
            <OpenLink target={{ kind: 'diff' }}>Review Changes</OpenLink>
          )}
        </p>
      )}
      {failed && view.ending.reason !== view.headline ? (
        <p>
          <Text of={view.ending.reason} />
        </p>
      ) : null}
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
          <span class="dim">
            <Text of={detail} />
          </span>
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
