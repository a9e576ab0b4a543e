import type { ComponentChildren, JSX, HTMLAttributes } from 'preact';
import type { ShownMission, EnvelopeStep } from '../../../src/contracts/page/panelView';
import { Attention } from './attention';
import { WhatChanged } from './changed';
import { Decision } from './decision';
import { Events } from './events';
import { Facts, Trust } from './trust';
import { Workers } from './workers';
import { Whole, Part, Fold, Text, Code, shown, useNow } from '../shell/text';
import { Tasks } from '../tasks/tasks';
import { countedTokens, missionWord, shownCode, wordsOfCode } from '../../../src/base/text/words';
import { menuSections } from '../../../src/contracts/page/menuKeys';
import { inBrowser, usePage } from '../shell/host';
import { clock, shortCount } from '../../../src/base/text/amounts';
import { menuContext } from '../shell/menus';

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

function Header({ mission }: { readonly mission: ShownMission }): JSX.Element {
  const { view, times, owner } = mission;
  const { entry } = usePage();
  const needsPerson = view.needs !== null && view.ending === null;
  return (
    <header
      class="missionHead"
      data-section="header"
      data-vscode-context={menuContext(menuSections.mission, entry, view)}
    >
      <div>
        <h1 title={shown(view.mission_id)}>
          <Text of={view.plan_id} />{' '}
          <span class={`pill ${pillLook(view)}`} data-state={view.status}>
            {pillWords(view, needsPerson)}
          </span>
        </h1>
        <Text as="p" class="sentence" of={view.headline} />
        <Text as="p" class="bad" of={view.missed_stop} />
        <Text as="p" class="bad" data-plan-differs of={view.plan_differs} />
        <Text as="p" class="dim" of={revisionOf(view)} />
        <Text as="p" class="dim" data-runs-on of={view.runs_on} />
        {owner === 'another' && view.runs_on === undefined ? (
          <p class="dim">
            Another process runs this mission.
            {inBrowser() ? null : ' This window watches; what you command is sent there.'}
          </p>
        ) : null}
      </div>
      <dl class="numbers">
        <Elapsed times={times} />
        <Figure name="tasks done" of={`${view.done}/${view.tasks.length}`} />
        <Used mission={mission} />
      </dl>
    </header>
  );
}

function pillLook({ interrupted, pausing, status, needs }: ShownMission['view']): string {
  if (interrupted) return 'interrupted';
  if (needs === 'answer') return 'asks';
  return pausing ? 'paused' : status;
}

function pillWords(view: ShownMission['view'], needsPerson: boolean): string {
  const word = missionWord(view);
  const label = word.charAt(0).toUpperCase() + word.slice(1);
  const { ending } = view;
  const code = ending?.outcome === 'FAILED' && !ending.cancelled ? shownCode(ending) : null;
  if (code !== null) return shown(`${label}: ${wordsOfCode(code)}`);
  return needsPerson && view.needs !== 'answer' ? `${label}: needs you` : label;
}

function revisionOf({ supersedes, superseded_by }: ShownMission['view']): string | null {
  const before = supersedes === undefined ? [] : [`Revision of ${supersedes}.`];
  const after = superseded_by === undefined ? [] : [`Superseded by ${superseded_by}.`];
  return before.length + after.length === 0 ? null : [...before, ...after].join(' ');
}

function Elapsed({ times }: { readonly times: ShownMission['times'] }): JSX.Element {
  const now = useNow(times.until === null);
  const until = times.until === null ? now : Date.parse(times.until);
  return (
    <div>
      <dd>
        <span role="timer" title={`since ${times.from}`}>
          {clock(until - Date.parse(times.from))}
        </span>
      </dd>
      <dt>elapsed</dt>
    </div>
  );
}

interface FigureProps extends HTMLAttributes<HTMLDivElement> {
  readonly name: string;
  readonly of: string;
}

function Figure({ name, of, ...attributes }: FigureProps): JSX.Element {
  return (
    <div {...attributes}>
      <dd>{of}</dd>
      <dt>{name}</dt>
    </div>
  );
}

function Used({ mission: { view, times } }: { readonly mission: ShownMission }): JSX.Element | null {
  const { usage } = view;
  const tokens = (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
  const hasTokens = usage.input_tokens !== null || usage.output_tokens !== null;
  const { reached, used, limit } = times.budget ?? { used: null };
  return (
    <>
      {hasTokens ? <Figure title={countedTokens(usage)} name="tokens" of={shortCount(tokens)} /> : null}
      {usage.cost_usd === null ? null : <Figure name="as reported" of={`$${usage.cost_usd.toFixed(2)}`} />}
      {used === null ? null : (
        <Figure class={reached ? 'bad' : ''} name={`${reached ? 'budget reached: ' : 'of '}${limit}`} of={used} />
      )}
    </>
  );
}
