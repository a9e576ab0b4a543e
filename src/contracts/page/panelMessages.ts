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

/**
 * Page to host. Read-only by type: nothing here changes a mission. Everything is named by ids of the last snapshot,
 * never by path or command; `contracts/page/pageMessage.ts` validates it.
 */
export type PageMessage =
  /** The page was loaded; `entry`: what it showed before, if it was loaded again. */
  | { readonly type: 'ready'; readonly entry?: string }
  | { readonly type: 'select'; readonly entry: string }
  | { readonly type: 'open'; readonly entry: string; readonly target: OpenTarget }
  | { readonly type: 'range'; readonly entry: string; readonly from: number; readonly count: number }
  | { readonly type: 'copy'; readonly entry: string; readonly what: CopiedThing }
  /** Opens a command of the palette on what is shown; the person decides in VS Code's own dialogs, and there alone. */
  | {
      readonly type: 'ask';
      readonly entry: string;
      readonly command: AskedCommand;
      readonly task_id?: string;
      /** The id of the choice that the dialog offers first. */
      readonly choice?: string;
    }
  | { readonly type: 'walkthrough'; readonly step: WalkthroughStep };

/** What a person may look at; each is looked up in the last snapshot. */
export type OpenTarget =
  | { readonly kind: 'plan'; readonly task_id?: string }
  | { readonly kind: 'evidence'; readonly task_id?: string }
  | { readonly kind: 'packet'; readonly packet_id: string }
  /** The whole output of the launch that a packet is about. */
  | { readonly kind: 'output'; readonly packet_id: string }
  /** What the mission, or one task, changed. */
  | { readonly kind: 'diff'; readonly task_id?: string }
  | { readonly kind: 'terminal'; readonly task_id: string }
  /** One of the files that its last attempt changed, by its place in `changed`. */
  | { readonly kind: 'file'; readonly task_id: string; readonly index: number };
/** Each of them asks before it does anything. Run Plan is left out, because it starts an approved plan at once. */
export const askedCommands = ['answerQuestion', 'confirmMemory', 'completeIntervention', 'approvePlan'] as const;
export type AskedCommand = (typeof askedCommands)[number];
export const copiedThings = ['mission_id', 'plan_sha256', 'status', 'next'] as const;
export type CopiedThing = (typeof copiedThings)[number];
export const walkthroughSteps = ['check', 'sample', 'plan', 'approve', 'run'] as const;
export type WalkthroughStep = (typeof walkthroughSteps)[number];

/** The most events one answer carries. */
export const eventsAtOnce = 200;
