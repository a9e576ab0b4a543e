import type { HTMLAttributes, JSX } from 'preact';
import { codeWord, countedTokens, missionWord, shownCode } from '../../../src/base/text/words';
import { menuSections } from '../../../src/contracts/page/menuKeys';
import type { ShownMission } from '../../../src/contracts/page/panelView';
import { inBrowser } from '../shell/host';
import { clock, shortCount } from '../../../src/base/text/amounts';
import { menuContext } from '../shell/menus';
import { usePage } from '../shell/pageState';
import { Text, shown } from '../shell/text';
import { useNow } from '../shell/time';

/** Shows the mission's name, state and progress. */
export function Header({ mission }: { readonly mission: ShownMission }): JSX.Element {
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
        {/* The one sentence that a screen reader announces when it changes, because a person must act. */}
        <Text as="p" class="sentence" {...(needsPerson && { role: 'status' })} of={view.headline} />
        <Text as="p" class="bad" of={view.missed_stop} />
        <Text as="p" class="bad" data-plan-differs of={view.plan_differs} />
        <Text as="p" class="dim" of={revisionOf(view)} />
        {owner === 'another' ? (
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
  if (code !== null) return shown(`${label}: ${codeWord(code) ?? code}`);
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

/** Shows usage only if an agent reported any. */
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
