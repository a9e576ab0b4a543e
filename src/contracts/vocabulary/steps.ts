import type { MetadataField } from './metadata';
import type { RecoveryOutcome } from './recovery';

interface OfMission {
  readonly mission: string;
}
interface OfTask extends OfMission {
  readonly task: string;
}

/** What each step is about, by the words of its command; a person adds name and reason where it decides. */
export interface StepArguments {
  readonly accept: OfTask & { readonly names: readonly string[] };
  readonly acknowledge: OfMission;
  /** `choice` null: in words. `packet`: the answer belongs to what this packet shows, and to no later one. */
  readonly answer: OfTask & { readonly choice: string | null; readonly packet?: string };
  readonly cancel: OfMission;
  readonly 'context new': object;
  readonly grant: OfTask & { readonly place: string };
  readonly intervene: OfTask;
  readonly 'journal verify': OfMission;
  readonly 'memory confirm': OfTask & {
    readonly rest: 'keep' | 'discard';
    readonly replace?: readonly string[];
    readonly keep_old?: readonly string[];
  };
  readonly 'packet resolve': { readonly packet: string; readonly outcome: RecoveryOutcome };
  /** `value` null: a text that the person writes. */
  readonly 'packet revise': OfTask & { readonly field: MetadataField; readonly value: number | null };
  readonly pause: OfMission;
  readonly 'plan revise': OfMission & { readonly edit?: PlanEdit };
  readonly resume: OfMission;
  readonly 'rerun-validation': OfTask;
  readonly retry: OfTask;
  readonly skip: OfTask;
  readonly stop: OfTask;
  readonly undo: OfTask;
  /** What a person does outside of Mission Control, as a sentence. */
  readonly mend: { readonly what: string };
}
export type StepCommand = keyof StepArguments;

/** A next step of a person, as data. It becomes text where it is shown (`base/text/steps.ts`). */
export type Step = {
  readonly [C in StepCommand]: { readonly command: C; readonly args: StepArguments[C] };
}[StepCommand];

export type StepOf<C extends StepCommand> = Extract<Step, { readonly command: C }>;

/** A line that a revision of a plan is written with. */
export type PlanEdit =
  /** Where git ignores a path, as scratch; else as a path of the task. */
  | { readonly kind: 'writes'; readonly task: string; readonly paths: readonly string[] }
  /** `localhost:5432`, `unix:/run/x.sock`, `/dev/kvm`, or the name of a variable: each added to the list of its kind. */
  | { readonly kind: 'opens'; readonly entries: readonly string[] }
  | { readonly kind: PlanSwitch };

/** `layers`: a layer takes the approved paths, too, so that none of them is a mount. */
export type PlanSwitch = 'network' | 'layers';

/** What a revision sets in `execution` for each. */
export const planSwitches: { readonly [S in PlanSwitch]: unknown } = { network: true, layers: 'all' };
