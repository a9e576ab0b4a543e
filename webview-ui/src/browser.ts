import { stepLines } from '../../src/base/text/steps';
import { nextSteps } from '../../src/contracts/page/missionView';
import type { HostMessage } from '../../src/contracts/page/panelMessages';
import type { PageMessage } from '../../src/contracts/page/pageMessage';

/**
 * Replaces VS Code's host where `mission events serve` serves the page. Snapshots come as Server-Sent Events. Every
 * question is a GET below the page's own address, because a browser sends its cookie only there. Texts to read open in
 * tabs of their own. Nothing else leaves the page.
 */
const key = 'mission-control';
let entry: string | null = null;
let source: EventSource | null = null;
let wanted = false;

function follow(message: PageMessage): void {
  switch (message.type) {
    case 'ready':
      entry = message.entry ?? entry;
      connect();
      return;
    case 'select':
      entry = message.entry;
      connect();
      return;
    case 'open':
      window.open(`text?${said(message)}`, '_blank', 'noopener');
      return;
    case 'range':
      void range(message);
      return;
    case 'copy':
      void navigator.clipboard.writeText(textOf(message.what)).catch(() => stand('The browser does not let it copy.'));
      return;
    // A browser decides nothing and has no palette.
    case 'ask':
    case 'walkthrough':
      return;
  }
}

/** Connects. Questions of one turn, such as the page's beginning and an earlier choice, open one stream. */
function connect(): void {
  if (wanted) return;
  wanted = true;
  queueMicrotask(() => {
    wanted = false;
    source?.close();
    const stream = new EventSource(entry === null ? 'panel' : `panel?${new URLSearchParams({ entry }).toString()}`);
    source = stream;
    stream.addEventListener('snapshot', ({ data }: MessageEvent<string>) => {
      stand('');
      const message = JSON.parse(data) as HostMessage;
      if (message.type === 'snapshot') last = message;
      tell(message);
    });
    stream.addEventListener('error', () => {
      // An answer that is no stream closes it for good; otherwise the browser reconnects by itself.
      if (stream.readyState === EventSource.CLOSED) void standing(stream);
      else stand(lost);
    });
  });
}

const lost = 'The connection was lost; what is shown is old.';
/** Milliseconds until a refused stream is requested again. */
const again = 5000;

/** Shows why no stream is open, and requests it again if one may open later. */
async function standing(stream: EventSource): Promise<void> {
  const asking = new AbortController();
  const answer = await fetch(stream.url, { signal: asking.signal }).catch(() => null);
  const refusal = answer?.ok === false ? ((await answer.json().catch(() => null)) as Refusal | null) : null;
  asking.abort();
  if (source !== stream) return;
  if (answer?.status === 401) {
    stand('Not connected: open this page by a new link.');
    return;
  }
  stand(refusal === null ? lost : `Not connected: ${refusal.reason} ${refusal.next.join(' ')}`);
  setTimeout(() => {
    if (source === stream) connect();
  }, again);
}

/** The server's words in place of an answer (`adapters/events/refused.ts`). */
interface Refusal {
  readonly reason: string;
  readonly next: readonly string[];
}

let last: Extract<HostMessage, { type: 'snapshot' }> | null = null;

function textOf(what: Extract<PageMessage, { type: 'copy' }>['what']): string {
  const shown = last?.panel.shown;
  if (shown?.kind !== 'mission') return '';
  const { view } = shown.mission;
  const texts = {
    mission_id: view.mission_id,
    plan_sha256: view.plan_sha256,
    status: `${view.plan_id}: ${view.headline}`,
    next: stepLines(nextSteps(view)).join('\n'),
  };
  return texts[what];
}

async function range(message: Extract<PageMessage, { type: 'range' }>): Promise<void> {
  const answer = await fetch(`range?${said(message)}`).catch(() => null);
  const read = answer?.ok === true ? ((await answer.json().catch(() => null)) as HostMessage | null) : null;
  tell(read ?? { type: 'unread', entry: message.entry, from: message.from });
}

function said(message: PageMessage): string {
  return new URLSearchParams({ said: JSON.stringify(message) }).toString();
}

function tell(message: HostMessage): void {
  window.dispatchEvent(new MessageEvent('message', { data: message }));
}

function stand(text: string): void {
  const standing = document.getElementById('standing');
  if (standing && standing.textContent !== text) standing.textContent = text;
}

/** Sets the class by which VS Code names its theme, from the person's choice in browser or system. */
function wear(): void {
  const light = matchMedia('(prefers-color-scheme: light)').matches;
  const strong = matchMedia('(prefers-contrast: more), (forced-colors: active)').matches;
  const theme = strong ? (light ? 'high-contrast-light' : 'high-contrast') : light ? 'light' : 'dark';
  document.body.className = `in-browser vscode-${theme}`;
}

for (const query of ['(prefers-color-scheme: light)', '(prefers-contrast: more)', '(forced-colors: active)'])
  matchMedia(query).addEventListener('change', wear);
wear();

Object.assign(window, {
  acquireVsCodeApi: () => ({
    postMessage: follow,
    getState: (): unknown => JSON.parse(sessionStorage.getItem(key) ?? 'null'),
    setState: (state: unknown) => sessionStorage.setItem(key, JSON.stringify(state)),
  }),
});
