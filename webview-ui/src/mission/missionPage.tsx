import type { ComponentChildren, JSX } from 'preact';
import type { ShownMission, EnvelopeStep } from '../../../src/contracts/page/panelView';
import { Attention } from './attention';
import { WhatChanged } from './changed';
import { Decision } from './decision';
import { Events } from './events';
import { Facts, Trust } from './trust';
import { Header } from './header';
import { Workers } from './workers';
import { Whole, Part, Fold } from '../shell/fold';
import { Tasks } from '../tasks/tasks';
import { Text, Code, shown } from '../shell/text';

/** One mission, from what a person must know at a glance to what they may want to look up. */
export function MissionPage({ mission }: { readonly mission: ShownMission }): JSX.Element {
  const { view } = mission;
  const ended = view.ending !== null;
  const part = (name: string, children: ComponentChildren): JSX.Element => (
    <Whole part={name} of={mission}>
      {children}
    </Whole>
  );
  return (
    <>
      {part('the head of the mission', <Header mission={mission} />)}
      {part('what can be trusted', <Trust trust={mission.trust} />)}
      {part('the execution envelope', <Envelope steps={mission.envelope} />)}
      {ended ? null : part('what you can do', <Attention mission={mission} />)}
      {part(
        'the decisions',
        view.blocks.map((block) => <Decision key={block.packet_id} block={block} view={view} />),
      )}
      {ended ? part('what changed', <WhatChanged mission={mission} />) : null}
      {part('the milestones', <Milestones view={view} />)}
      {part('the tasks', <Tasks mission={mission} />)}
      {ended ? null : part('the workers', <Workers mission={mission} />)}
      {part('the recoveries', <Recoveries view={view} />)}
      {part('the facts', <Facts mission={mission} />)}
      {part('the events', <Events mission={mission} />)}
    </>
  );
}

/** Shows the plan's milestones: who judges each, its state, and what was asserted. */
function Milestones({ view }: { readonly view: ShownMission['view'] }): JSX.Element | null {
  const { milestones = [] } = view;
  if (milestones.length === 0) return null;
  return (
    <Part name="milestones" title="Milestones">
      <ul class="milestones">
        {milestones.map((milestone) => (
          <li key={milestone.id} data-milestone={milestone.id} data-state={milestone.state}>
            <Text as="b" of={milestone.id} /> <Text of={milestone.title === milestone.id ? null : milestone.title} />{' '}
            <span class="dim">
              {milestone.ended} of {milestone.tasks.length} tasks
              {milestone.mode === null ? '' : ` · ${milestone.mode}`}
              {milestone.limit === null || milestone.failures === 0
                ? ''
                : ` · failed ${milestone.failures} of at most ${milestone.limit} times`}
            </span>
            <Text as="div" of={milestone.sentence} />
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** Shows what workers were denied, and what became of it. */
function Recoveries({ view }: { readonly view: ShownMission['view'] }): JSX.Element | null {
  const recoveries = view.tasks.flatMap(({ task_id, recoveries = [] }) =>
    recoveries.map((recovery, index) => ({ task_id, key: `${task_id} ${recovery.attempt} ${index}`, ...recovery })),
  );
  if (recoveries.length === 0) return null;
  return (
    <Part name="recoveries" title="Permission recovery">
      <ul class="plainList">
        {recoveries.map(({ key, task_id, attempt, what, change, outcome, status }) => (
          <li key={key} data-status={status}>
            <b>
              <Text of={task_id} />, attempt {attempt}:
            </b>{' '}
            <Text of={what} />.{' '}
            {change.slice(0, 2).map((line) => (
              <>
                <Text of={line} />{' '}
              </>
            ))}
            <Text as="span" class="dim" of={outcome} />
            {change.length > 2 ? (
              <Fold name={`lines ${key}`} title="Command lines before and after">
                {() =>
                  change.slice(2).map((line) => (
                    <p key={line}>
                      <Code of={line} />
                    </p>
                  ))
                }
              </Fold>
            ) : null}
          </li>
        ))}
      </ul>
    </Part>
  );
}

const standings = { done: 'done', now: 'now', broken: 'broken here', ended: 'ended here', todo: 'to come' } as const;

/** The states of the execution envelope as one thin line, marked where it broke. */
function Envelope({ steps }: { readonly steps: readonly EnvelopeStep[] }): JSX.Element {
  return (
    <ol class="envelope" data-section="envelope" aria-label="Execution envelope">
      {steps.map(({ state, standing, note }) => (
        <li key={state} title={shown(`${state} ${note}`)} class={standing} data-standing={standing}>
          <span class="state">{state}</span>
          <span class="hidden"> {standings[standing]}</span>
          <Text as="small" of={note === '' ? null : ` ${note}`} />
        </li>
      ))}
    </ol>
  );
}
