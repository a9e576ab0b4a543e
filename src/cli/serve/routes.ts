import path from 'node:path';
import { refusing, type Asked, type Reply } from '../../adapters/events/server';
import {
  eventsQueryOf,
  pageQueryOf,
  panelQueryOf,
  type PageMessage,
  type OpenTarget,
} from '../../contracts/page/pageMessage';
import type { HostMessage } from '../../contracts/page/panelMessages';
import type { Beginning, EventStream } from './eventStream';
import type { PanelStream } from './panelStream';
import type { ServedWorkspace } from './workspace';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { webviewDir } from '../shell/program';
import { placeInWorkspace } from '../../adapters/files/place';
import { readRegularFile } from '../../adapters/files/regular';
import { journalSecrets } from '../../adapters/journal/redacted';
import { redactText } from '../../adapters/system/redact';
import { page } from '../../base/text/marked/page';
import { evidenceNames } from '../../contracts/vocabulary/files/evidenceFiles';
import type { PanelItem } from '../../engine/views/panelView';

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

const files: Readonly<Record<string, string>> = {
  '/page.js': 'text/javascript; charset=utf-8',
  '/browser.js': 'text/javascript; charset=utf-8',
  '/page.css': 'text/css; charset=utf-8',
  '/browser.css': 'text/css; charset=utf-8',
};

/** The page that the extension shows, with what a plain browser lacks; null: it has no such file. */
async function browserFile(asked: string): Promise<Reply | null> {
  if (asked === '/') return document();
  const type = files[asked];
  return type === undefined ? null : { kind: 'body', type, body: await readFile(path.join(webviewDir, asked), 'utf8') };
}

/** Our own style sheets, the two scripts with the nonce, and this server; nothing else, and in no frame. */
function document(): Reply {
  const nonce = randomBytes(16).toString('base64');
  const policy = `default-src 'none'; style-src 'self'; script-src 'nonce-${nonce}'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  const body = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="page.css">
<link rel="stylesheet" href="browser.css">
<title>Mission Control</title>
</head>
<body class="in-browser">
<p id="standing" role="status"></p>
<div id="app"></div>
<script nonce="${nonce}" src="browser.js"></script>
<script nonce="${nonce}" src="page.js"></script>
</body>
</html>`;
  return { kind: 'body', type: 'text/html; charset=utf-8', body, policy };
}

/** More than that is for an editor. */
const longest = 4 << 20;

/**
 * Reads the file that the page names by an id of the last snapshot. Returns it as text without
 * secrets in which every character shows; null: no such file. A file that a worker changed is not
 * shown, because its path is the worker's choice.
 */
async function shownText(workspace: string, item: PanelItem, target: OpenTarget): Promise<string | null> {
  for (const file of filesOf(item, target)) {
    const place = await placeInWorkspace(workspace, file);
    if (place.kind !== 'path') continue;
    const read = await readRegularFile(place.absolute, longest, { follow: false });
    if (!read.ok) continue;
    const { text } = redactText(Buffer.from(read.bytes).toString(), journalSecrets(process.env));
    return page.lines(text.split(/\r?\n/).map((line) => page`${line}`)).toString();
  }
  return null;
}

/** Relative to the workspace; the first one that is there counts. */
function filesOf({ of }: PanelItem, target: OpenTarget): readonly string[] {
  switch (target.kind) {
    case 'plan':
      return of.kind === 'mission' ? [of.read.mission.plan_path] : of.kind === 'draft' ? [of.draft.path] : [];
    case 'evidence': {
      if (of.kind !== 'mission' && of.kind !== 'evidence_only') return [];
      const dir = of.kind === 'mission' ? of.view.evidence_dir : of.evidence.dir;
      const known = of.kind === 'mission' && of.read.mission.rows.some(({ task }) => task.task_id === target.task_id);
      const own = known && target.task_id !== undefined ? [`${dir}/TASK_${target.task_id}.json`] : [];
      return [...own, `${dir}/${evidenceNames.summary}`, `${dir}/${evidenceNames.header}`];
    }
    case 'packet': {
      const block = of.kind === 'mission' && of.view.blocks.find(({ packet_id }) => packet_id === target.packet_id);
      if (!block || block.packet_path === null) return [];
      return [block.packet_path.replace(/\.json$/, '.md'), block.packet_path];
    }
    // Contents that workers chose are not served: `mission diff` shows files, and `mission status` names the output.
    case 'diff':
    case 'output':
    case 'terminal':
    case 'file':
      return [];
  }
}
