import type { HostMessage, PageMessage } from '../../../src/contracts/panelMessages';

/** What only the page knows, and what survives a reload of the window. */
export interface Kept {
  /** The mission that the person chose; null: the host's choice. */
  readonly entry: string | null;
  /** The task that is unfolded of an entry, at most one of each; what was unfolded last stands last. */
  readonly unfolded: readonly Unfolded[];
  readonly graph: boolean;
  /** Names of what was folded out. */
  readonly open: readonly string[];
}

export interface Unfolded {
  readonly entry: string;
  readonly task: string;
}

interface VsCode {
  postMessage(message: PageMessage): void;
  getState(): unknown;
  setState(state: Kept): void;
}
declare function acquireVsCodeApi(): VsCode;

const vscode = acquireVsCodeApi();

/** Returns whether this is a page of `mission events serve`, which opens no terminal, no editor and no walkthrough. */
export function inBrowser(): boolean {
  return document.body.classList.contains('in-browser');
}

/** The page asks to be shown something; it has no other way to the outside. */
export function post(message: PageMessage): void {
  vscode.postMessage(message);
}

export function keep(kept: Kept): void {
  vscode.setState(kept);
}

export function kept(): Kept {
  const state = vscode.getState() as Partial<Record<keyof Kept, unknown>> | null | undefined;
  return {
    entry: typeof state?.entry === 'string' ? state.entry : null,
    unfolded: Array.isArray(state?.unfolded) ? state.unfolded.filter(isUnfolded) : [],
    graph: state?.graph === true,
    open: Array.isArray(state?.open) ? state.open.filter((name) => typeof name === 'string') : [],
  };
}

function isUnfolded(one: unknown): one is Unfolded {
  return isRecord(one) && typeof one.entry === 'string' && typeof one.task === 'string';
}

/** Calls back with each message of the host, until what it gives is called; it ignores what has another shape. */
export function listen(heard: (message: HostMessage) => void): () => void {
  const take = ({ data }: MessageEvent<unknown>): void => {
    if (isHostMessage(data)) heard(data);
  };
  window.addEventListener('message', take);
  return () => window.removeEventListener('message', take);
}

/** Checks a message as far as the page needs it to stand; what a part lacks, that part says (`Whole`). */
function isHostMessage(data: unknown): data is HostMessage {
  if (!isRecord(data)) return false;
  if (data.type === 'snapshot')
    return typeof data.sequence === 'number' && isRecord(data.panel) && Array.isArray(data.panel.entries);
  if (data.type === 'unread') return typeof data.from === 'number';
  return data.type === 'events' && typeof data.from === 'number' && Array.isArray(data.events);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
