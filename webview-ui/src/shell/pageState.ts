import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { OpenTarget } from '../../../src/contracts/panelMessages';
import type { Kept } from './host';

/** What components need in addition to their own part of the snapshot. */
export interface PageState {
  /** The entry of the mission that is shown. */
  readonly entry: string;
  readonly kept: KeptHere;
  readonly change: Change<KeptHere>;
}

/** What is kept, as one mission sees it: another one may have a task of the same name. */
export interface KeptHere extends Omit<Kept, 'unfolded'> {
  /** The task that is unfolded. */
  readonly task: string | null;
}

/** What is kept in addition, or what it is made of: two changes at once both count. */
export type Change<T> = (changes: Partial<T> | ((before: T) => Partial<T>)) => void;

export function keptHere({ unfolded, ...kept }: Kept, here: string): KeptHere {
  return { ...kept, task: unfolded.find(({ entry }) => entry === here)?.task ?? null };
}

/** Applies such changes of one mission to what is kept; what is unfolded in others stays. */
export function changesHere(kept: Kept, here: string, { task, ...changes }: Partial<KeptHere>): Partial<Kept> {
  if (task === undefined) return changes;
  const others = kept.unfolded.filter(({ entry }) => entry !== here);
  return { ...changes, unfolded: task === null ? others : [...others, { entry: here, task }].slice(-keptAtMost) };
}

/** Not without end: the oldest are forgotten. */
const keptAtMost = 50;

const Context = createContext<PageState | null>(null);
export const PageStateProvider = Context.Provider;

export function usePage(): PageState {
  const state = useContext(Context);
  if (!state) throw new Error('outside of the page');
  return state;
}

/** Says whether something is folded out, and how that is changed. */
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
