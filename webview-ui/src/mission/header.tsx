import type { JSX } from 'preact';
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
        <p class="sentence" {...(needsPerson && { role: 'status' })}>
          <Text of={view.headline} />
        </p>
        {view.missed_stop === undefined ? null : (
          <p class="bad">
            <Text of={view.missed_stop} />
          </p>
        )}
        {view.plan_differs === undefined ? null : (
          <p class="bad" data-plan-differs>
            <Text of={view.plan_differs} />
          </p>
        )}
        <RevisionOf view={view} />
        {owner === 'another' ? (
          <p class="dim">
            Another process runs this mission.
            {inBrowser() ? null : ' This window watches; what you command is sent there.'}
          </p>
        ) : null}
      </div>
      <dl class="numbers">
        <Elapsed times={times} />
        <div>
          <dd>
            {view.done}/{view.tasks.length}
          </dd>
          <dt>tasks done</dt>
        </div>
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

function RevisionOf({ view }: { readonly view: ShownMission['view'] }): JSX.Element | null {
  const sentences = [
    ...(view.supersedes === undefined ? [] : [`Revision of ${view.supersedes}.`]),
    ...(view.superseded_by === undefined ? [] : [`Superseded by ${view.superseded_by}.`]),
  ];
  return sentences.length === 0 ? null : (
    <p class="dim">
      <Text of={sentences.join(' ')} />
    </p>
  );
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

/** Shows usage only if an agent reported any. */
function Used({ mission: { view, times } }: { readonly mission: ShownMission }): JSX.Element | null {
  const { usage } = view;
  const tokens = (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
  const hasTokens = usage.input_tokens !== null || usage.output_tokens !== null;
  return (
    <>
      {hasTokens ? (
        <div title={countedTokens(usage)}>
          <dd>{shortCount(tokens)}</dd>
          <dt>tokens</dt>
        </div>
      ) : null}
      {usage.cost_usd === null ? null : (
        <div>
          <dd>${usage.cost_usd.toFixed(2)}</dd>
          <dt>as reported</dt>
        </div>
      )}
      {times.budget === null ? null : (
        <div class={times.budget.reached ? 'bad' : ''}>
          <dd>{times.budget.used}</dd>
          <dt>
            {times.budget.reached ? 'budget reached: ' : 'of '}
            {times.budget.limit}
          </dt>
        </div>
      )}
    </>
  );
}
