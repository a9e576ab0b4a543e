import type { AgentName, Confinement, WorkerName } from '../../../contracts/vocabulary/workers';
import type { JsonObject } from '../../../base/json';
import type { AddPlanFinding, JudgedTask } from '../rules/judgedTask';
import type { Opened } from './right';

/** Its form and meaning stand in `contracts/plan.ts`. `P`: the part of the approved plan that it has to do with. */
export interface PlanField<P> {
  /** It gives a right to what runs: the lines that an approval has at its top. */
  readonly opens?: Opened<P>;
  /** Lines of its own on an approval: of one task, or in a section about the whole plan. */
  readonly rows?: (task: TaskOf<P>, facts: TaskFacts) => readonly ShownRow[];
  readonly says?: { readonly in: 'tasks' | 'confinement' | 'budget'; readonly lines: (plan: P) => readonly string[] };
  /** Which other line of an approval names it, or why none does. */
  readonly stands?: string;
  readonly unsaid?: Unsaid;
  /** The member of the approved plan that a revision compares. `named`: the revision gives it another name. */
  readonly as?: keyof P & string;
  readonly named?: string;
  /** Judges it by the text of the plan alone. */
  readonly judge?: (judged: Judged, report: AddPlanFinding) => void;
  /** It describes, orders or holds back, so a fix may write its name in place of a slip. */
  readonly narrows?: true;
  /** The fields of its object, or of each object of its list. */
  readonly parts?: FieldTable;
  readonly each?: FieldTable;
}

/**
 * Why an approval has no line for a field. `names`: it names the plan, its form or who approved it. `orders`: it decides
 * when something runs, and not what. `stops`: it can only hold back, stop or fail what runs, or ask a person. `hints`:
 * people and agents read it, and nothing that counts follows from it.
 */
type Unsaid = 'names' | 'orders' | 'stops' | 'hints';

/** One or several values of a task under a label; an argument vector is shown as a command. */
export interface ShownRow {
  readonly label: string;
  readonly as: 'text' | 'code' | 'command' | 'lines';
  readonly values: readonly (string | readonly string[])[];
  /** The settings of the person who approves may add arguments to this command. */
  readonly extended?: AgentName;
}

export interface TaskFacts {
  readonly confinement: Confinement;
  readonly argv: readonly string[];
  /** The model that policy selects for it here, or why it refuses; null for a command. */
  readonly model: string | null;
}

/** A plan as it is judged: any JSON object. */
export interface Judged {
  readonly plan: JsonObject;
  readonly execution: JsonObject | null;
  readonly tasks: readonly JudgedTask[];
  readonly defaultWorker: WorkerName;
  /** POSIX; null: not known. */
  readonly workspaceDir: string | null;
}

export type FieldTable = Readonly<Record<string, PlanField<never>>>;

/** Each field of an object `O` of the contract. A field without an entry or without its line does not compile. */
export type Fields<O, P> = {
  readonly [F in keyof NonNullable<O> as string extends F ? never : F]-?: PlanField<P> & Shown;
};

/** Each field has its line on an approval, or its entry says why it has none. */
type Shown =
  | { readonly opens: unknown }
  | { readonly rows: unknown }
  | { readonly says: unknown }
  | { readonly stands: string }
  | { readonly unsaid: string }
  | { readonly parts: FieldTable }
  | { readonly each: FieldTable };

type TaskOf<P> = P extends { readonly tasks: readonly (infer T)[] } ? T : never;
