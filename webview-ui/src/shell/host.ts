import type { HostMessage } from '../../../src/contracts/page/panelMessages';
import type { PageMessage, OpenTarget } from '../../../src/contracts/page/pageMessage';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** State that only the page knows and that survives a reload of the window. */
export interface Kept {
  /** What the page shows; null: nothing. */
  readonly entry: string | null;
  /** The task that is unfolded in each entry, at most one; the latest is last. */
  readonly unfolded: readonly Unfolded[];
  readonly graph: boolean;
  /** Names of the folds that are open. */
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

/** Returns whether `mission events serve` serves this page, where no terminal, editor or walkthrough can be opened. */
export function inBrowser(): boolean {
  return document.body.classList.contains('in-browser');
}

/** Asks the host to show something; the page has no other way out. */
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

/** Calls back with each message of the host that has the known shape, until the returned function is called. */
export function listen(heard: (message: HostMessage) => void): () => void {
  const take = ({ data }: MessageEvent<unknown>): void => {
    if (isHostMessage(data)) heard(data);
  };
  window.addEventListener('message', take);
  return () => window.removeEventListener('message', take);
}

/** Checks only what the page needs of a message; a part that lacks something reports it itself (`Whole`). */
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

/** State that components need in addition to their own part of the snapshot. */
export interface PageState {
  readonly entry: string;
  readonly kept: KeptHere;
  readonly change: Change<KeptHere>;
}

/** The kept state as one mission sees it, because another one may have a task of the same name. */
export interface KeptHere extends Omit<Kept, 'unfolded'> {
  readonly task: string | null;
}

/** Merges changes, or makes them from the state before, so that two changes at once both count. */
export type Change<T> = (changes: Partial<T> | ((before: T) => Partial<T>)) => void;

export function keptHere({ unfolded, ...kept }: Kept, here: string): KeptHere {
  return { ...kept, task: unfolded.find(({ entry }) => entry === here)?.task ?? null };
}

export function changesHere(kept: Kept, here: string, { task, ...changes }: Partial<KeptHere>): Partial<Kept> {
  if (task === undefined) return changes;
  const others = kept.unfolded.filter(({ entry }) => entry !== here);
  return { ...changes, unfolded: task === null ? others : [...others, { entry: here, task }].slice(-keptAtMost) };
}

/** Number of entries; older ones are forgotten. */
const keptAtMost = 50;

const Context = createContext<PageState | null>(null);
export const PageStateProvider = Context.Provider;

export function usePage(): PageState {
  const state = useContext(Context);
  if (!state) throw new Error('outside of the page');
  return state;
}

export function useFold(name: string): readonly [boolean, () => void] {
  const { kept, change } = usePage();
  const open = kept.open.includes(name);
  const turn = (before: KeptHere): Partial<KeptHere> => {
    const others = before.open.filter((one) => one !== name);
    return { open: open ? others : [...others, name].slice(-keptAtMost) };
  };
  return [open, () => change(turn)];
}

export type Open = (target: OpenTarget) => void;
