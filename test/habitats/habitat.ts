import type { Place } from './place';

/** What is done in every habitat; the first three by `npm test`, all of them by `npm run test:habitats -- --all`. */
export const scenarioNames = [
  'sample',
  'violation',
  'block',
  'retry',
  'again',
  'hook',
  'cancel',
  'kill',
  'handoff',
  'handoff resume',
] as const;
/** What only some habitats can have, which ask for it; with --all. */
export const rareScenarioNames = ['disk full'] as const;
export type ScenarioName = (typeof scenarioNames)[number] | (typeof rareScenarioNames)[number];
const briefScenarios: readonly ScenarioName[] = ['sample', 'violation', 'block'];

/** What is done in a habitat: as `npm test` does, all of it, or by plans that require a sandbox. */
export function scenariosIn(
  { confined, expected, more }: Habitat,
  visit: 'brief' | 'all' | 'confined',
): readonly ScenarioName[] {
  // The second mission finds what the first one left in caches and build folders.
  if (confined === true) return expected === undefined ? ['sample', 'again'] : ['sample'];
  if (visit === 'confined') return ['sample'];
  return visit === 'all' && expected?.every === undefined ? [...scenarioNames, ...(more ?? [])] : briefScenarios;
}

/** What a person saw: exit code, status and code of `mission run` (or of what was refused), and what else counts. */
export interface Seen {
  readonly exit: number | null;
  readonly status: string | null;
  readonly code: string | null;
  readonly facts: readonly string[];
  /** Reason and next steps, in the product's words. */
  readonly says: string;
}

export interface Expected extends Omit<Seen, 'says'> {
  /** Words that tell the way out. */
  readonly says?: RegExp;
}

/** One kind of repository, folder, user or machine that people have. */
export interface Habitat {
  readonly name: string;
  /** Why it cannot be made here; null: it can. */
  readonly lacks?: () => Promise<string | null>;
  make(place: Place): Promise<void>;
  /** What is expected other than what a plain repository gives; `every`: of each scenario. */
  readonly expected?: Partial<Record<ScenarioName | 'every', Partial<Expected>>>;
  /** Required checks of `mission doctor` that fail here. Default: none. */
  readonly doctor?: readonly string[];
  /** It takes minutes to make: visited with --all only. */
  readonly rare?: true;
  /** Facts that are looked at when everything is over; each has to hold. */
  readonly afterwards?: (place: Place) => Promise<Readonly<Record<string, boolean>>>;
  /** What else is done in it with --all. */
  readonly more?: readonly (typeof rareScenarioNames)[number][];
  /** Fields of the execution part of every plan. */
  readonly execution?: Readonly<Record<string, unknown>>;
  /** All its plans require a sandbox; it shows that missions work in one. */
  readonly confined?: true;
  /** A module that the sample mends, and the verify command that tests it. */
  readonly project?: { readonly module: string; readonly test: readonly string[] };
  /** Begins what others do in it meanwhile; answers how to end that. */
  readonly beside?: (place: Place) => () => Promise<void>;
  /** What the worker of the sample does: arguments of tools/work.mjs. Default: write. */
  readonly sample?: readonly [what: string, ...more: string[]];
  /** The commit that evidence names: HEAD of the workspace's repository, none, or an earlier one. Default: head. */
  readonly commit?: 'head' | 'none' | 'earlier';
}

/** An outcome that is the same in every scenario: the runner says no, with the way out. */
export function refusal(exit: number, code: string, says: RegExp): NonNullable<Habitat['expected']> {
  return { every: { exit, code, says, status: 'refused', facts: [] } };
}
