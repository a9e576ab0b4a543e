import type { Actor } from '../vocabulary/actors';
import type { RecoveryPermission } from '../vocabulary/intents';
import type { RecoveryOutcome } from '../vocabulary/recovery';
import type { Step } from '../vocabulary/steps';
import type { RunOfTask } from './liveView';
import { shownWait, type WaitName, type WaitTimes } from '../vocabulary/waits';

export interface BlockView extends WaitTimes, RunOfTask {
  readonly packet_id: string;
  readonly attempt: number;
  readonly state: 'open' | 'left_blocked';
  /** Who left it blocked, or accepted what blocked it, and why, as a sentence; absent: it waits for a decision. */
  readonly decided?: string;
  readonly stopped?: true;
  readonly code: string | null;
  readonly category: string | null;
  readonly reason: string;
  readonly details: readonly string[];
  /** When the limit of its provider ends: from a timestamp of its CLI, or in its own words; absent: no limit. */
  readonly limit_ends?: { readonly at: string | null; readonly said: string | null };
  /** Null: it is being written, or lies elsewhere. */
  readonly packet_path: string | null;
  /** It is written, on a host of a fleet. Absent: its packet is here, or will be. */
  readonly packet_away?: true;
  /** Absent: something was launched, and left its output in its run directory. */
  readonly no_output?: true;
  readonly issued_at: string;
  /** What the orchestrator makes or made of it, as a sentence; absent: it was not asked. */
  readonly orchestrator?: string;
  readonly allowed_outcomes: readonly RecoveryOutcome[];
  /** The ways out: what is possible now first, the recommended one at the head; last what is not, with its reason. */
  readonly ways: readonly WayView[];
  /** The first hundred changes that block until they are undone or a person accepts them by name. */
  readonly acceptable: readonly { readonly name: string; readonly why: string }[];
  /** Present when a person may grant what its worker was denied; `path` null: the workspace itself. */
  readonly denied?: {
    readonly permission: RecoveryPermission;
    readonly path: string | null;
    readonly reads?: true;
    /** The folder that a grant opens, because nothing is at the path. Absent: what was denied. */
    readonly opens?: string;
    /** Why a grant would be refused, as a sentence. Absent: it would not. */
    readonly ungranted?: string;
  };
  /** Present while a person is asked something. `asked`: how often a question was put on the packet since its block. */
  readonly question?: {
    readonly text: string;
    /** Empty: the answer is in words. */
    readonly choices: readonly { readonly id: string; readonly text: string }[];
    readonly asked_by: Actor;
    readonly asked: number;
    /** What every answer leads to; absent: its choices say it. */
    readonly leads_to?: 'attempt' | 'record';
  };
}

/** A step that a person can take about a block, or why it is not possible now. */
export interface WayView {
  readonly step: Step;
  /** `Try it again` */
  readonly label: string;
  /** What the person does before it, and what it does. */
  readonly does: string;
  /** The outcome of the packet that it chooses; absent: it is another command. */
  readonly outcome?: RecoveryOutcome;
  /** When that outcome is safe, in the words of the contract. */
  readonly safe_when?: string;
  /** It mends what blocked, by the row of the block. */
  readonly helps?: true;
  readonly recommended?: true;
  /** Why it is not possible now, and what is; absent: it is possible. */
  readonly refused?: { readonly reason: string; readonly next: readonly string[] };
}

export function possibleSteps({ ways }: Pick<BlockView, 'ways'>): readonly Step[] {
  return ways.flatMap(({ step, refused }) => (refused ? [] : [step]));
}

/** Words, and times that a page shows in the zone of its reader. */
export type StandingLine = readonly (string | { readonly at: string })[];

/** Says of a block, for every place that shows it, until when it waits and what was decided about it. */
export function standingLines(block: Pick<BlockView, WaitName | 'decided'>, unowned: boolean): readonly StandingLine[] {
  const wait = shownWait(block);
  const [before, after] = wait?.words[unowned ? 'unowned' : 'until'] ?? ['', ''];
  return [
    ...(wait ? [[before, { at: wait.at }, after]] : []),
    ...(block.decided === undefined ? [] : [[block.decided]]),
  ];
}
