import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { OpenTarget } from '../../../src/contracts/page/pageMessage';
import type { Kept } from './host';

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
