import type { EventLine } from './missionView';
import type { PanelView } from './panelView';

/** Host to page. The page drops what is older than what it shows. */
export type HostMessage =
  | {
      readonly type: 'snapshot';
      readonly sequence: number;
      readonly panel: PanelView;
      /** Present where a tree beside the page lists the missions. */
      readonly listed?: false;
    }
  /** Answer to `range`; `from` is the number of the first event (from 1), oldest first. */
  | {
      readonly type: 'events';
      readonly entry: string;
      readonly from: number;
      readonly events: readonly EventLine[];
      readonly total: number;
    }
  /** Answer to a `range` that could not be read; the host's output says why. */
  | { readonly type: 'unread'; readonly entry: string; readonly from: number };

/** Each of them asks before it does anything; before Run Plan the host asks, because an approved plan starts at once. */
export const askedCommands = [
  'answerQuestion',
  'confirmMemory',
  'completeIntervention',
  'resolveBlocker',
  'approvePlan',
  'runPlan',
] as const;
export type AskedCommand = (typeof askedCommands)[number];

/** The name of a choice in a message, which carries no longer text. */
export function choiceName(of: string): string {
  return of.slice(0, 300);
}

export const copiedThings = ['mission_id', 'plan_sha256', 'status', 'next'] as const;
export type CopiedThing = (typeof copiedThings)[number];
export const walkthroughSteps = ['check', 'sample', 'plan', 'approve', 'run'] as const;
export type WalkthroughStep = (typeof walkthroughSteps)[number];

export const eventsAtOnce = 200;
