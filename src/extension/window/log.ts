import type { LogOutputChannel } from 'vscode';
import { ui, type UiText } from '../../base/text/ui';

/** What the extension tells of itself in its output channel: one line for each entry, whatever the texts in it hold. */
export interface Log {
  info(text: UiText): void;
  warn(text: UiText): void;
  /** The cause stands below, each line of it with a mark in front. */
  error(text: UiText, cause?: unknown): void;
}

export function logTo(channel: Pick<LogOutputChannel, 'info' | 'warn' | 'error'>): Log {
  return {
    info: (text) => channel.info(text.toString()),
    warn: (text) => channel.warn(text.toString()),
    error: (text, cause) =>
      channel.error(ui.lines([text, ...linesOf(cause).map((line) => ui`  | ${line}`)]).toString()),
  };
}

function linesOf(cause: unknown): readonly string[] {
  if (cause === undefined) return [];
  if (cause instanceof Error) return (cause.stack ?? cause.message).split('\n');
  return (typeof cause === 'string' ? cause : JSON.stringify(cause)).split('\n');
}
