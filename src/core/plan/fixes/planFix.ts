import type { FindingCode } from '../../../contracts/vocabulary/codes/findings';
import type { JsonObject } from '../../../base/json';

/** One step that mends what was found in a plan; `title` says to a person what it does. */
export interface PlanFix {
  readonly title: string;
  readonly edits: readonly FixEdit[];
}

/** A change at a path of keys; the rest of the text keeps its bytes. */
export type FixEdit =
  | { readonly kind: 'set'; readonly path: FixPath; readonly value: unknown }
  | { readonly kind: 'remove'; readonly path: FixPath }
  | { readonly kind: 'rename'; readonly path: FixPath; readonly key: string }
  /** One entry of a list becomes several. */
  | { readonly kind: 'spread'; readonly path: FixPath; readonly values: readonly unknown[] };

export type FixPath = readonly (string | number)[];

/** What a fix is made from: the finding, and the plan that it was found in. */
export interface Mended {
  readonly plan: JsonObject;
  /** What the finding is about. */
  readonly path: FixPath;
  readonly value: unknown;
  readonly message: string;
  /** The id that the name of the file says; null: it says none. */
  readonly fileId: string | null;
  /** Absolute, POSIX, without a slash at its end; null: not known. */
  readonly workspaceDir: string | null;
  /** ISO-8601 UTC. */
  readonly now: string;
}

/**
 * What is done about a finding. `none`: only a person can say what is right. Or the way out would approve something, or
 * widen what the plan may do. A command: it shows a page or a file on which a person decides.
 */
export type FixRule = 'none' | { readonly command: FixCommand } | ((mended: Mended) => readonly PlanFix[]);

export type FixCommand = 'approvePlan' | 'newProjectContext' | 'openProjectContext';

export function setsValue(title: string, path: FixPath, value: unknown): PlanFix {
  return { title, edits: [{ kind: 'set', path, value }] };
}

export function removesValue(title: string, path: FixPath): PlanFix {
  return { title, edits: [{ kind: 'remove', path }] };
}

/** The object at a path; an empty one where the plan has another value. */
export function objectIn(plan: JsonObject, place: FixPath): object {
  let at: unknown = plan;
  for (const key of place) at = (at as Readonly<Record<string | number, unknown>> | undefined)?.[key];
  return typeof at === 'object' && at !== null ? at : {};
}

/** The fixes of some codes, beside the rules that report them. */
export type Fixes = Readonly<Partial<Record<FindingCode, FixRule>>>;
