import type { MissionCommandName, TaskCommandName } from '../commands/missionCommand';
import type { BlockView } from './blockView';
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

/** `resolve`: *Resolve Blocker* is what helps; `begun`: an attempt began, so there may be changes. */
export const standingWords = { blocked: 'blocked', resolve: 'resolve', live: 'live', begun: 'begun' } as const;

export const planWords = { approve: 'approve', run: 'run' } as const;

/** The commands that the mission, or its task, takes now, and words for its state; `=~ /;RetryTask;/` finds one. */
export function offeredWords(
  view: Pick<MissionView, 'offers' | 'blocks' | 'lanes' | 'orchestrator' | 'tasks'>,
  taskId: string | null,
): string {
  const { offers, blocks, lanes, orchestrator, tasks } = view;
  const about = ({ task_id }: { readonly task_id: string }): boolean => taskId === null || task_id === taskId;
  const names = (Object.keys(offers) as (MissionCommandName | TaskCommandName)[]).filter((name) => {
    const offered = offers[name];
    if (typeof offered === 'boolean') return offered && taskId === null;
    return taskId === null ? offered.length > 0 : offered.includes(taskId);
  });
  const session = orchestrator?.session;
  const own = blocks.filter(about);
  const standing = {
    blocked: own.length > 0,
    resolve: own.some((block) => helpOf(block) === 'resolve'),
    live: lanes.some(about) || (session !== undefined && about(session)),
    begun: tasks.some((task) => about(task) && task.attempts > 0),
  } satisfies Record<keyof typeof standingWords, boolean>;
  const words = Object.values(standingWords).filter((word) => standing[word]);
  return `;${[...names, ...words].join(';')};`;
}

/** Returns what helps; `accept`: changes block any retry. */
export function helpOf({ question, acceptable }: BlockView): 'answer' | 'accept' | 'resolve' {
  if (question) return 'answer';
  return acceptable.length > 0 ? 'accept' : 'resolve';
}

/** The argument that a menu of the page or of a tree hands to its command. The page's is hostile until looked up. */
export interface MenuArgument {
  readonly webviewSection: MenuSection;
  /** A `PanelEntry.id`. */
  readonly entry: string;
  readonly task_id?: string;
}
