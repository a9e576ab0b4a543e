import type { MissionCommandName, TaskCommandName } from './missionCommand';
import type { MissionView } from './missionView';

/**
 * What native context menus go by: VS Code compares `when` clauses with the attribute `data-vscode-context` of the
 * page's elements, and with the `contextValue` of tree items. Both carry the same word list, `;pause;cancel;`.
 */
export const menuSections = {
  mission: 'missionControl.mission',
  task: 'missionControl.task',
  draft: 'missionControl.draft',
  /** Evidence whose mission this machine's journal does not hold. */
  evidence: 'missionControl.evidence',
  /** A mission that cannot be read takes nothing. */
  unreadable: 'missionControl.unreadable',
  /** A plan file in the tree, run or not. */
  plan: 'missionControl.plan',
} as const;
export type MenuSection = (typeof menuSections)[keyof typeof menuSections];

/** The key of that list in `data-vscode-context`. */
export const offeredKey = 'missionControlOffered';

/** Added to the commands: something is blocked and has a packet, a worker is under way. */
export const standingWords = { blocked: 'blocked', live: 'live' } as const;

/** What a plan file takes now. */
export const planWords = { approve: 'approve', run: 'run' } as const;

/**
 * Commands that the mission, or its task, takes now, and how it stands, as a list that `=~ /;RetryTask;/` finds its
 * word in.
 */
export function offeredWords(
  { offers, blocks, lanes, orchestrator }: Pick<MissionView, 'offers' | 'blocks' | 'lanes' | 'orchestrator'>,
  taskId: string | null,
): string {
  const about = ({ task_id }: { readonly task_id: string }): boolean => taskId === null || task_id === taskId;
  const names = (Object.keys(offers) as (MissionCommandName | TaskCommandName)[]).filter((name) => {
    const offered = offers[name];
    if (typeof offered === 'boolean') return offered && taskId === null;
    return taskId === null ? offered.length > 0 : offered.includes(taskId);
  });
  const blocked = blocks.some(about) ? [standingWords.blocked] : [];
  const session = orchestrator?.session;
  const live = lanes.some(about) || (session && about(session)) ? [standingWords.live] : [];
  return `;${[...names, ...blocked, ...live].join(';')};`;
}

/** The argument that a menu of the page or of a tree hands to its command. The page's is hostile until looked up. */
export interface MenuArgument {
  readonly webviewSection: MenuSection;
  /** A `PanelEntry.id`. */
  readonly entry: string;
  readonly task_id?: string;
}
