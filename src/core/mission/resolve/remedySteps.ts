import type { PlanEdit } from '../../../contracts/vocabulary/steps';
import type { BlockFacts, Other, Repeat } from './blockFacts';

/** A step that helps. `first`: what a person does before it. `hint`: it is listed and never recommended, because only printed words point to it, or only a person knows. A repeat names that, or what differs from the time before. */
export type Remedy =
  | { readonly step: Other; readonly first?: string; readonly hint?: true }
  | { readonly step: Repeat; readonly first: string }
  | { readonly step: Repeat; readonly differs: string };

export const retry = ({ mission, task }: BlockFacts): Repeat => ({ command: 'retry', args: { mission, task } });
export const validate = ({ mission, task }: BlockFacts): Repeat => ({
  command: 'rerun-validation',
  args: { mission, task },
});
export const resume = ({ mission }: BlockFacts): Other => ({ command: 'resume', args: { mission } });
export const revision = ({ mission }: BlockFacts): Other => ({ command: 'plan revise', args: { mission } });
export const writes = ({ mission, task }: BlockFacts, ...paths: readonly string[]): Other => ({
  command: 'plan revise',
  args: { mission, edit: { kind: 'writes', task, paths } },
});
/** A command line with more than ten paths is not read. */
export const opening = ({ strays, ...block }: BlockFacts): readonly Remedy[] => {
  if (strays.length === 0) return [];
  const step = writes({ strays, ...block }, ...strays.slice(0, 10));
  const left = strays.length - 10;
  return [{ step, ...(left > 0 && { first: `Add the other ${left} in it, where it needs them.` }) }];
};
/** The revisions that open what it missed. `named`: what its approved command line names, else what only its output does. */
export const openings = ({ mission, missed }: BlockFacts, named: boolean): readonly Other[] => {
  const found = missed.filter((one) => (one.named === true) === named).map(({ entry }) => entry);
  const entries = found.filter((entry) => entry !== null);
  const edits: readonly PlanEdit[] = [
    ...(entries.length > 0 ? [{ kind: 'opens' as const, entries }] : []),
    ...(entries.length < found.length ? [{ kind: 'network' as const }] : []),
  ];
  return edits.map((edit) => ({ command: 'plan revise', args: { mission, edit } }));
};
export const accept = ({ accept: step }: BlockFacts): readonly Remedy[] =>
  step ? [{ step, first: 'Look at each change first.' }] : [];
export const quietCheck = (block: BlockFacts): Remedy => ({
  step: revision(block),
  first: 'A check must change nothing: let it write below $TMPDIR alone, or let the task itself write that.',
});
export const note = ({ mission, task, takes_note }: BlockFacts): readonly Remedy[] =>
  takes_note ? [{ step: { command: 'packet revise', args: { mission, task, field: 'note', value: null } } }] : [];
export const again = (block: BlockFacts, first: string): readonly Remedy[] => [{ step: retry(block), first }];
/** Judges a failed check once more, and starts a failed worker again. */
export const repeatStep = (block: BlockFacts): Repeat =>
  block.category === 'verification_failed' ? validate(block) : retry(block);
export const repeat = (block: BlockFacts, first: string): Remedy => ({ step: repeatStep(block), first });
export const inPlace = (block: BlockFacts): readonly Remedy[] => [
  repeat(block, 'Let it empty the folder instead of removing it, or copy instead of renaming, first.'),
];
export const moreTime = ({ mission, task, more_time }: BlockFacts): readonly Remedy[] =>
  more_time
    ? [
        {
          step: {
            command: 'packet revise',
            args: { mission, task, field: more_time.field, value: more_time.seconds },
          },
        },
      ]
    : [];
/** A used up limit is counted anew from a person's decision. */
export const asMuchAgain = (block: BlockFacts): readonly Remedy[] => [
  { step: retry(block), differs: 'It may use as much again.' },
];
export const raised = (block: BlockFacts, first: string): readonly Remedy[] => [
  { step: revision(block), first },
  ...again(block, 'Look whether as much again is enough first.'),
];
export const without = ({ without: packet }: BlockFacts): readonly Remedy[] =>
  packet === null ? [] : [{ step: { command: 'packet resolve', args: { packet, outcome: 'resume' } } }];
