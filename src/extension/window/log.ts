import type { LogOutputChannel } from 'vscode';
import { ui, type UiText } from '../../base/text/marked/ui';

/** The extension's output channel: one line for each entry, whatever its texts hold. */
export interface Log {
  info(text: UiText): void;
  warn(text: UiText): void;
  /** Writes the cause on lines of its own, each with a mark in front. */
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
