import type { LiveWorkerView } from '../../../contracts/page/missionView';
import { toolActions, type WorkerName } from '../../../contracts/vocabulary/workers';

type ActionView = NonNullable<LiveWorkerView['actions']>[number];

/** One word for what the tools of all CLIs do; an unknown tool keeps its name. */
export function actionView({ tool, detail }: { readonly tool: string; readonly detail: string }): ActionView {
  return { what: toolActions.get(tool.toLowerCase()) ?? tool, on: detail };
}

/**
 * Returns what a running launch does, in words: `edits files`. Its last action decides, as far as its CLI reported one.
 */
export function doingText(
  purpose: LiveWorkerView['purpose'],
  worker: WorkerName,
  actions: readonly ActionView[] = [],
): string {
  if (purpose === 'verify') return 'runs the verify commands';
  if (worker === 'command') return 'runs the command of the task';
  switch (actions.at(-1)?.what ?? '') {
    case 'edit':
    case 'write':
      return 'edits files';
    case 'read':
    case 'find':
    case 'list':
      return 'reads files';
    case 'run':
      return 'runs a command';
    default:
      return 'works';
  }
}
