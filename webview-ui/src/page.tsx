import { render, type JSX } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { HostMessage } from '../../src/contracts/page/panelMessages';
import type { PanelView, ShownEntry } from '../../src/contracts/page/panelView';
import { MissionPage } from './mission/missionPage';
import { MissionList } from './other/missionList';
import { DraftPage, EmptyPage, EvidencePage, UnreadablePage } from './other/otherPages';
import { News } from './shell/news';
import { keep, kept as keptBefore, listen, post, type Kept } from './shell/host';
import { changesHere, keptHere, PageStateProvider, type Change, type KeptHere } from './shell/pageState';
import { setNow } from './shell/time';
import { Whole } from './shell/fold';

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
