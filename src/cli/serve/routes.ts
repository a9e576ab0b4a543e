import { refusing, type Asked, type Reply } from '../../adapters/events/server';
import { eventsQueryOf, pageQueryOf, panelQueryOf } from '../../contracts/pageQuery';
import type { HostMessage, PageMessage } from '../../contracts/panelMessages';
import { browserFile } from './browserPage';
import type { Beginning, EventStream } from './eventStream';
import type { PanelStream } from './panelStream';
import { shownText } from './shownText';
import type { ServedWorkspace } from './workspace';

export interface Routed {
  readonly workspace: string;
  readonly served: ServedWorkspace;
  readonly events: EventStream;
  readonly panel: PanelStream;
  readonly version: string;
}

/** Everything that can be asked; nothing of it changes anything. */
export function routesOf(routed: Routed): (asked: Asked) => Promise<Reply> {
  return async (asked) => {
    switch (asked.path) {
      case '/events':
        return events(routed, asked);
      case '/health':
        return health(routed);
      case '/panel': {
        const query = panelQueryOf(asked.query);
        if (query === null) return invalid;
        return { kind: 'stream', run: (client) => routed.panel.run(client, query.entry ?? null) };
      }
      case '/range':
      case '/text': {
        const message = pageQueryOf(asked.query);
        if (message === null) return invalid;
        return asked.path === '/range' ? range(routed, message) : text(routed, message);
      }
      default:
        return (await browserFile(asked.path)) ?? notThere;
    }
  };
}

async function events({ served, events: stream }: Routed, { query, lastEventId }: Asked): Promise<Reply> {
  const read = eventsQueryOf(query);
  if (read === null) return invalidEvents;
  const mission = read.mission ?? null;
  const begin = (begins: Beginning): Reply => ({
    kind: 'stream',
    run: (client) => stream.run(client, begins, mission),
  });
  const isThere = async (): Promise<boolean> =>
    served.problem !== null || ((await served.journal?.feed.placeOf(`${mission ?? ''}:1`)) ?? null) !== null;
  if (mission !== null && !(await isThere())) {
    await served.look();
    if (!(await isThere())) return noMission;
  }
  const { journal, problem } = served;
  if (lastEventId === null) return begin(read.from ?? 'now');
  // While the journal cannot be read, any id counts as known: the stream says so, and goes on as soon as it can.
  const isKnown = problem !== null || (journal !== null && (await journal.feed.placeOf(lastEventId)) !== null);
  if (isKnown) return begin({ after: lastEventId });
  return refusing(
    'EVENT_ID_UNKNOWN',
    'No event of this workspace has the id in Last-Event-ID, so it is unknown where to go on.',
    'Leave it out for what happens from now on, or ask for /events?from=start.',
  );
}

function health({ served, version }: Routed): Reply {
  const { folder, problem } = served;
  const { workspace, owner, missions, unreadable } = folder;
  const document = {
    ...{ ok: problem === null, version, workspace, owner },
    ...{ missions: missions.length, unreadable: unreadable.length, problem },
  };
  return { kind: 'body', type: json, body: `${JSON.stringify(document)}\n` };
}

/** Events of a mission by number, as the panel gets them. */
async function range({ served, panel }: Routed, message: PageMessage): Promise<Reply> {
  if (message.type !== 'range') return invalid;
  const item = panel.item(message.entry);
  if (item?.of.kind !== 'mission') return gone;
  const read = await served.events(item.of.read.mission, message.from, message.count);
  if (read === null) return gone;
  const answer: HostMessage = { type: 'events', entry: message.entry, ...read };
  return { kind: 'body', type: json, body: JSON.stringify(answer) };
}

async function text({ workspace, panel }: Routed, message: PageMessage): Promise<Reply> {
  if (message.type !== 'open') return invalid;
  const item = panel.item(message.entry);
  const body = item && (await shownText(workspace, item, message.target));
  return body === null ? gone : { kind: 'body', type: 'text/plain; charset=utf-8', body };
}

const json = 'application/json; charset=utf-8';
const guide = 'See docs/guide/browser.md.';
const invalid = refusing('REQUEST_INVALID', 'The parameters cannot be followed.', guide);
const invalidEvents = refusing(
  'REQUEST_INVALID',
  'The parameters cannot be followed: /events takes mission=ID, and from=now or from=start.',
  guide,
);
const noMission = refusing('NOT_THERE', 'The journal of this folder knows no mission of that id.', 'mission list');
const gone = refusing('NOT_THERE', 'That does not exist, or is gone.', 'Reload the page.');
const notThere = refusing('NOT_THERE', 'There is nothing here.', 'Open Mission Control by its one-time link.');
