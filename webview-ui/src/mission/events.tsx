import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { runner } from '../../../src/contracts/vocabulary/actors';
import { eventsAtOnce, type HostMessage } from '../../../src/contracts/page/panelMessages';
import type { EventLine, EventMark } from '../../../src/contracts/page/missionView';
import type { ShownMission } from '../../../src/contracts/page/panelView';
import { Part, Text, Moment } from '../shell/text';
import { listen, post, usePage, useFold } from '../shell/host';

type Answer = Extract<HostMessage, { type: 'events' | 'unread' }>;

/** Shows the last events, the newest first; older ones page by page, as the host reads them from the journal. */
export function Events({ mission }: { readonly mission: ShownMission }): JSX.Element {
  const [all, turn] = useFold('events');
  return (
    <Part
      name="events"
      title="What happened last"
      aside={
        <button type="button" class="link" aria-expanded={all} onClick={turn}>
          {all ? 'Only the last' : `All ${mission.event_count.toLocaleString()} events`}
        </button>
      }
    >
      {all ? <AllEvents count={mission.event_count} /> : <Lines of={mission.last_events.toReversed()} />}
    </Part>
  );
}

function AllEvents({ count }: { readonly count: number }): JSX.Element {
  const { entry } = usePage();
  // The last event that is shown, so that the page stays while others happen; null: the newest.
  const [last, go] = useState<number | null>(null);
  const [answer, take] = useState<Answer | null>(null);
  const [wanted, filter] = useState('');
  const to = last ?? count;
  const from = Math.max(1, to - eventsAtOnce + 1);
  // Answers come in any order, so one for an earlier page is ignored.
  const asked = useRef(from);
  useEffect(
    () =>
      listen((message) => {
        if (message.type !== 'snapshot' && message.entry === entry && message.from === asked.current) take(message);
      }),
    [entry],
  );
  const ask = (): void => post({ type: 'range', entry, from, count: to - from + 1 });
  useEffect(() => {
    asked.current = from;
    ask();
  }, [entry, from, to]);
  return (
    <>
      {count <= eventsAtOnce ? null : (
        <p>
          <button
            type="button"
            class="link"
            disabled={last === null}
            onClick={() => go(to + eventsAtOnce < count ? to + eventsAtOnce : null)}
          >
            Newer
          </button>{' '}
          {from.toLocaleString()} to {to.toLocaleString()} of {count.toLocaleString()}{' '}
          <button type="button" class="link" disabled={from === 1} onClick={() => go(to - eventsAtOnce)}>
            Older
          </button>
        </p>
      )}
      <input
        type="search"
        class="filter"
        placeholder="Filter these events"
        value={wanted}
        onInput={({ currentTarget }) => filter(currentTarget.value)}
      />
      <Answered answer={answer} wanted={wanted} again={ask} />
    </>
  );
}

function Answered(of: {
  readonly answer: Answer | null;
  readonly wanted: string;
  readonly again: () => void;
}): JSX.Element {
  const { answer, wanted, again } = of;
  switch (answer?.type) {
    case undefined:
      return <p class="dim">Reading the journal …</p>;
    case 'unread':
      return (
        <p role="status">
          These events could not be read.{' '}
          <button type="button" class="link" onClick={again}>
            Read them again
          </button>
        </p>
      );
    case 'events': {
      const text = wanted.trim().toLowerCase();
      const found = answer.events.filter((one) => `${one.text} ${one.actor}`.toLowerCase().includes(text));
      return found.length > 0 ? <Lines of={found.toReversed()} /> : <p role="status">None of them has it.</p>;
    }
  }
}

function Lines({ of }: { readonly of: readonly EventLine[] }): JSX.Element {
  return (
    <ol class="events">
      {of.map(({ seq, at, text, actor, mark }) => (
        <li key={seq} value={seq} data-seq={seq}>
          <span class="dim">
            <Moment at={at} />
          </span>
          <span class={mark && marks[mark][1]} aria-hidden="true">
            {mark && marks[mark][0]}
          </span>
          <Text as="span" of={text} />
          <Text as="span" class="dim actor" of={actor === runner.name ? null : actor} />
        </li>
      ))}
    </ol>
  );
}

/** Marks and tones; the sentence beside each says the same, so that nothing is said by colour or mark alone. */
const marks: Readonly<Record<EventMark, readonly [mark: string, tone: string]>> = {
  begins: ['▶', 'live'],
  ends: ['–', 'dim'],
  waits: ['‖', 'warn'],
  again: ['↻', 'warn'],
  locked: ['#', 'dim'],
  good: ['✓', 'good'],
  bad: ['!', 'bad'],
};
