import type { MissionControlView, MissionView } from '../../src/contracts/missionView';
import { el, setNow, tick } from './dom';
import { missionCard } from './missionCard';
import { groupMissions } from './sections';

/** The page can only report that it is ready for a snapshot. It has no way to change anything. */
interface Host {
  postMessage(message: { readonly type: 'ready' }): void;
}
declare function acquireVsCodeApi(): Host;

let shown = -1;
/** Cards by mission: a mission that did not change keeps its nodes, and with them selection and open details. */
const cards = new Map<string, { readonly text: string; readonly node: HTMLElement }>();
const root = document.getElementById('app') ?? document.body;

window.addEventListener('message', (event: MessageEvent<unknown>) => {
  const message = event.data as {
    readonly type?: unknown;
    readonly views?: readonly MissionControlView[];
    readonly sequence?: unknown;
  };
  if (
    message.type !== 'snapshot' ||
    !Array.isArray(message.views) ||
    typeof message.sequence !== 'number' ||
    message.sequence <= shown
  )
    return;
  shown = message.sequence;
  for (const view of message.views as readonly MissionControlView[]) setNow(view.generated_at);
  show(message.views as readonly MissionControlView[]);
});

setInterval(tick, 1000);
acquireVsCodeApi().postMessage({ type: 'ready' });

/** Cards that are kept still update their durations. */
function show(views: readonly MissionControlView[]): void {
  const scroll = document.documentElement.scrollTop;
  root.replaceChildren(...(views.length === 0 ? [empty()] : views.flatMap((view) => folder(view, views.length > 1))));
  root.setAttribute('data-sequence', String(shown));
  tick();
  document.documentElement.scrollTop = scroll;
}

function folder(view: MissionControlView, named: boolean): readonly HTMLElement[] {
  const heading = named ? [el('h1', {}, view.workspace)] : [];
  const note =
    view.owner === 'another'
      ? [
          el(
            'p',
            { class: 'note' },
            'Another process runs the missions of this folder. This window watches; commands are sent there.',
          ),
        ]
      : [];
  const unreadable = view.unreadable.map((mission) =>
    el(
      'section',
      { class: 'block', role: 'alert' },
      el('h4', {}, `Mission ${mission.mission_id} can not be read`),
      el('p', {}, mission.reason),
    ),
  );
  if (view.missions.length === 0 && unreadable.length === 0) return [...heading, empty()];
  const groups = groupMissions(view.missions).map((group) =>
    el(
      'section',
      { class: 'group', 'data-group': group.id },
      el('h2', {}, `${group.title} (${group.missions.length})`),
      ...group.missions.map(card),
    ),
  );
  return [...heading, ...note, ...unreadable, ...groups];
}

function card(mission: MissionView): HTMLElement {
  const text = JSON.stringify(mission);
  const known = cards.get(mission.mission_id);
  if (known?.text === text) return known.node;
  const node = missionCard(mission);
  for (const details of node.querySelectorAll('details')) {
    const before = known?.node.querySelector(`details[data-keep="${CSS.escape(details.dataset['keep'] ?? '')}"]`);
    details.open = before instanceof HTMLDetailsElement && before.open;
  }
  cards.set(mission.mission_id, { text, node });
  return node;
}

function empty(): HTMLElement {
  return el(
    'section',
    { class: 'empty' },
    el('h2', {}, 'No missions yet'),
    el('p', {}, 'A mission is one execution of one approved plan. Start in the command palette:'),
    el(
      'ol',
      {},
      el('li', {}, el('strong', {}, 'Mission Control: New Plan'), ' writes docs/plans/PLAN_<id>.json as a draft.'),
      el(
        'li',
        {},
        el('strong', {}, 'Mission Control: Approve Plan'),
        ' shows what is approved and binds the approval to exact bytes.',
      ),
      el(
        'li',
        {},
        el('strong', {}, 'Mission Control: Run Plan'),
        ' runs its tasks in integrated terminals; the evidence lands in docs/ops/executions.',
      ),
    ),
  );
}
