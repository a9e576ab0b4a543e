import type { PanelTask } from '../../../src/contracts/page/panelView';
import { taskWord } from '../../../src/base/text/words';

/** `tone`: the class of its colour. */
export function standingOf(task: PanelTask): { readonly mark: string; readonly tone: string; readonly word: string } {
  const word = taskWord(task);
  if (task.skipped) return { mark: '–', tone: 'dim', word };
  if (task.awaited || task.asks) return { mark: '?', tone: 'warn', word };
  if (task.interrupted) return { mark: '◌', tone: 'dim', word };
  return { ...marks[task.status], word };
}

const marks: Readonly<Record<PanelTask['status'], { readonly mark: string; readonly tone: string }>> = {
  todo: { mark: '○', tone: 'dim' },
  in_progress: { mark: '▶', tone: 'live' },
  blocked: { mark: '!', tone: 'bad' },
  done: { mark: '✓', tone: 'good' },
  failed: { mark: '✕', tone: 'bad' },
  canceled: { mark: '–', tone: 'dim' },
};
