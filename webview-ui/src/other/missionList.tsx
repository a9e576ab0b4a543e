import type { JSX } from 'preact';
import { menuSections, type MenuSection } from '../../../src/contracts/page/menuKeys';
import type { PanelEntry, PanelGroup } from '../../../src/contracts/page/panelView';
import { menuContext } from '../shell/menus';
import { Dotted, Text, shown } from '../shell/text';

const looks: Readonly<Record<PanelGroup, readonly [mark: string, tone: string, title: string]>> = {
  needs_you: ['!', 'bad', 'Needs you'],
  running: ['▶', 'live', 'Running'],
  paused: ['‖', 'warn', 'Paused'],
  planned: ['○', 'dim', 'Planned'],
  drafts: ['✎', 'dim', 'Plans'],
  finished: ['✓', 'good', 'Finished'],
  evidence_only: ['◌', 'dim', 'Evidence only'],
  unreadable: ['✕', 'bad', 'Unreadable'],
};

/** Lists every mission as a line of its group; the chosen one is shown beside the list. */
export function MissionList({
  entries,
  shownId,
  select,
}: {
  readonly entries: readonly PanelEntry[];
  readonly shownId: string | null;
  readonly select: (entry: string) => void;
}): JSX.Element {
  const groups = [...new Set(entries.map(({ group }) => group))];
  return (
    <nav class="missions" aria-label="Missions">
      {groups.map((group) => (
        <div key={group} data-group={group}>
          <h2>{looks[group][2]}</h2>
          <ul>
            {entries
              .filter((entry) => entry.group === group)
              .map((entry) => (
                <Line key={entry.id} entry={entry} current={entry.id === shownId} select={select} />
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function sectionOf(group: PanelGroup): MenuSection {
  if (group === 'drafts') return menuSections.draft;
  if (group === 'evidence_only') return menuSections.evidence;
  return group === 'unreadable' ? menuSections.unreadable : menuSections.mission;
}

function Line({
  entry,
  current,
  select,
}: {
  readonly entry: PanelEntry;
  readonly current: boolean;
  readonly select: (entry: string) => void;
}): JSX.Element {
  const ended = entry.group === 'finished' && entry.word !== 'completed';
  const asks = entry.group === 'needs_you' && entry.word === 'asks you';
  const [mark, tone] = ended ? ['–', 'dim'] : asks ? ['?', 'warn'] : looks[entry.group];
  return (
    <li>
      <button
        type="button"
        class="entry"
        data-entry={entry.id}
        aria-current={current ? 'true' : undefined}
        data-vscode-context={menuContext(sectionOf(entry.group), entry.id, null)}
        title={shown(`${entry.title}: ${entry.note}`)}
        onClick={() => select(entry.id)}
      >
        <span class={tone} aria-hidden="true">
          {mark}
        </span>
        <Text as="span" class="title" title={shown(entry.title)} of={entry.title} />
        <span class="dim">{entry.progress === null ? '' : `${entry.progress.done}/${entry.progress.total}`}</span>
        <small>
          <Dotted of={[entry.workspace !== null && <Text of={entry.workspace} />, <Text of={entry.note} />]} />
        </small>
      </button>
    </li>
  );
}
