import { render, type JSX } from 'preact';
import { useLayoutEffect, useState, useEffect, useRef } from 'preact/hooks';
import type { HostMessage } from '../../src/contracts/page/panelMessages';
import type { PanelView, ShownEntry, PanelTask } from '../../src/contracts/page/panelView';
import { MissionPage } from './mission/missionPage';
import { MissionList, DraftPage, EmptyPage, EvidencePage, UnreadablePage } from './other/otherPages';
import {
  keep,
  kept as keptBefore,
  listen,
  post,
  type Kept,
  changesHere,
  keptHere,
  PageStateProvider,
  type Change,
  type KeptHere,
} from './shell/host';
import { setNow, Whole, Text } from './shell/text';
import { blockWord, taskWord } from '../../src/base/text/words';
import type { BlockView } from '../../src/contracts/page/blockView';

render(<App />, document.getElementById('app') ?? document.body);

type Snapshot = Pick<Extract<HostMessage, { readonly type: 'snapshot' }>, 'sequence' | 'panel' | 'listed'>;

function App(): JSX.Element | null {
  const [snapshot, take] = useState<Snapshot | null>(null);
  const [kept, setKept] = useState<Kept>(keptBefore);
  const change: Change<Kept> = (changes) =>
    setKept((before) => {
      const after = { ...before, ...(typeof changes === 'function' ? changes(before) : changes) };
      keep(after);
      return after;
    });
  // Runs before the first paint, so that no early message is missed.
  useLayoutEffect(() => {
    let newest = Number.NEGATIVE_INFINITY;
    let { entry } = kept;
    const leave = listen((message) => {
      if (message.type !== 'snapshot' || message.sequence <= newest) return;
      newest = message.sequence;
      setNow(message.panel.generated_at);
      take(message);
      const shown = message.panel.shown?.id ?? null;
      // Keeps what is shown, because a reloaded page asks for it.
      if (shown !== entry) change({ entry: shown });
      entry = shown;
    });
    // Asks for what it showed, so that a reloaded page shows it again.
    post({ type: 'ready', ...(kept.entry !== null && { entry: kept.entry }) });
    return leave;
  }, []);
  if (snapshot === null) return null;
  const { panel, sequence } = snapshot;
  const select = (entry: string): void => {
    post({ type: 'select', entry });
  };
  // Lists missions once: if a tree beside the page lists them, people choose there.
  const listed = snapshot.listed !== false && panel.entries.length > 1;
  return (
    <div class={listed ? 'page listed' : 'page'} data-sequence={sequence}>
      <Whole part="the news" of={panel}>
        <News panel={panel} />
      </Whole>
      <main data-shown={panel.shown?.id}>
        <Whole part="the count of others" of={panel}>
          <Others panel={panel} select={select} />
        </Whole>
        <Whole part="what is shown" of={panel}>
          <Shown panel={panel} kept={kept} change={change} />
        </Whole>
      </main>
      {listed ? (
        <Whole part="the list of missions" of={panel}>
          <MissionList entries={panel.entries} shownId={panel.shown?.id ?? null} select={select} />
        </Whole>
      ) : null}
    </div>
  );
}

/** Says how many other missions need a person, because the page stays where it is; a click shows the first. */
function Others({
  panel: { entries, shown },
  select,
}: {
  readonly panel: PanelView;
  readonly select: (entry: string) => void;
}): JSX.Element | null {
  const others = entries.filter(({ group, id }) => group === 'needs_you' && id !== shown?.id);
  const [first] = others;
  if (first === undefined) return null;
  return (
    <p class="others">
      <button type="button" class="link" onClick={() => select(first.id)}>
        {others.length === 1 ? '1 other needs you' : `${others.length} others need you`}
      </button>
    </p>
  );
}

function Shown({
  panel: { shown, found },
  kept,
  change,
}: {
  readonly panel: PanelView;
  readonly kept: Kept;
  readonly change: Change<Kept>;
}): JSX.Element {
  if (shown === null) return <EmptyPage found={found} />;
  const { id } = shown;
  const changeHere: Change<KeptHere> = (changes) =>
    change((all) => changesHere(all, id, typeof changes === 'function' ? changes(keptHere(all, id)) : changes));
  return (
    <PageStateProvider key={id} value={{ entry: id, kept: keptHere(kept, id), change: changeHere }}>
      <ShownEntryPage of={shown} />
    </PageStateProvider>
  );
}

function ShownEntryPage({ of }: { readonly of: ShownEntry }): JSX.Element {
  switch (of.kind) {
    case 'mission':
      return <MissionPage mission={of.mission} />;
    case 'draft':
      return <DraftPage draft={of.draft} />;
    case 'evidence_only':
      return <EvidencePage evidence={of.evidence} />;
    case 'unreadable':
      return <UnreadablePage title={of.title} reason={of.reason} />;
  }
}

/**
 * A sentence for a screen reader, with its rank: a block has 2, the end of a task 0. One that waits is displaced by one
 * of the same or a higher rank alone.
 */
type Sentence = readonly [rank: 0 | 1 | 2, text: string];

/** Milliseconds between two sentences, because a screen reader says each to its end. Only the newest one waits. */
const pause = 3000;

/** Says to a screen reader what has changed, without moving its focus. */
function News({ panel }: { readonly panel: PanelView }): JSX.Element {
  const [[count, said], say] = useState<readonly [count: number, text: string | null]>([0, null]);
  const last = useRef(panel);
  const waiting = useRef<Sentence | null>(null);
  const pausing = useRef(false);
  const next = (): void => {
    pausing.current = waiting.current !== null;
    if (waiting.current === null) return;
    const [, text] = waiting.current;
    // The same sentence is said once more, so its element is another one.
    say(([before]) => [before + 1, text]);
    waiting.current = null;
    setTimeout(next, pause);
  };
  useEffect(() => {
    const news = newsOf(last.current, panel);
    last.current = panel;
    if (news === null) return;
    if (news[0] >= (waiting.current?.[0] ?? 0)) waiting.current = news;
    if (!pausing.current) next();
  }, [panel]);
  return (
    <p class="hidden" role="status" data-section="news">
      <Text key={count} of={said} />
    </p>
  );
}

/** Returns the one change between two snapshots that a person most wants to hear; null: there was none. */
function newsOf(before: PanelView, after: PanelView): Sentence | null {
  const [was, is] = [before.shown, after.shown];
  const same = was?.kind === 'mission' && is?.kind === 'mission' && was.id === is.id;
  const [old, now] = same ? [was.mission.view, is.mission.view] : [null, null];
  const block = now?.blocks.findLast((one) => !old.blocks.some((other) => keyOf(other) === keyOf(one)));
  if (block) return [2, blockSentence(block)];
  const words = new Map(before.entries.map(({ id, word }) => [id, word]));
  // A draft changes its word while a person types.
  const changed = after.entries.filter(({ id, word, group }) => group !== 'drafts' && (words.get(id) ?? word) !== word);
  const mission = changed.find(({ id }) => id === is?.id) ?? changed[0];
  if (mission) return [1, `Mission ${mission.title}: ${mission.word}.`];
  const open = new Set(old?.tasks.flatMap((task) => (isEnded(task) ? [] : [task.task_id])));
  const ended = now?.tasks.findLast((task) => open.has(task.task_id) && isEnded(task));
  if (!now || !ended) return null;
  return [0, `Task ${ended.task_id}: ${taskWord(ended)}, ${now.done} of ${now.tasks.length} done.`];
}

function isEnded({ status }: PanelTask): boolean {
  return status === 'done' || status === 'failed' || status === 'canceled';
}

/** A question that is put once more is news, too. */
function keyOf({ packet_id, question }: BlockView): string {
  return packet_id + question?.asked;
}

function blockSentence(block: BlockView): string {
  const word = blockWord(block);
  if (block.question) return `Task ${block.task_id} asks you.`;
  return `Task ${block.task_id} is blocked${word === null ? '' : `: ${word}`}.`;
}
