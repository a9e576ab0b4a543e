import type { WorkerSignal } from '../../../contracts/launch';
import { limited } from '../../../base/text/oneLine';
import { terminal, type TerminalText } from '../../../base/text/marked/terminal';
import type { LiveWorkerView } from '../../../contracts/page/liveView';
import { toolActions, type AgentName, type WorkerName } from '../../../contracts/vocabulary/workers';
import { classifyDenial, type PermissionMatch } from '../../recovery/permission/classify';

/** A signal as one line; null for a signal without news for a person. */
export function signalLine(signal: WorkerSignal): TerminalText | null {
  switch (signal.kind) {
    case 'session':
      return terminal`session ${short(signal.sessionId)}${signal.model === null ? '' : terminal`, model ${short(signal.model)}`}`;
    case 'progress':
      return signal.text.trim() === '' ? null : terminal`| ${short(signal.text.trimEnd())}`;
    case 'waiting':
      return terminal`| ${waitingText(signal)}`;
    case 'message': {
      const first = signal.text.split(/\r?\n/).find((line) => line.trim() !== '');
      return first === undefined ? null : terminal`> ${short(first)}`;
    }
    case 'tool_use':
      return terminal`* ${short(signal.tool)}${signal.detail === '' ? '' : terminal`: ${short(signal.detail)}`}`;
    case 'file_change':
      return terminal`${{ add: '+', update: '~', delete: '-', unknown: '?' }[signal.change]} ${short(signal.path)}`;
    case 'denial': {
      const what = [signal.tool, signal.path].filter((part) => part !== null).map(short);
      return terminal`! ${terminal.join(['denied', ...what], ' ')}: ${short(signal.reason)}`;
    }
    case 'usage': {
      const { inputTokens, outputTokens } = signal.usage;
      return terminal`  tokens: ${inputTokens ?? '?'} in, ${outputTokens ?? '?'} out`;
    }
    case 'error':
      return terminal`! ${signal.fatal ? 'error' : 'warning'}: ${short(signal.message)}`;
    case 'hook':
      return terminal`| ${signal.ended ? 'hook ended' : 'hook runs'}: ${short(signal.name)}`;
    case 'turn_ended':
      return null;
    case 'final':
      return signal.ok
        ? terminal`= finished`
        : terminal`= finished with an error${signal.reason === null ? '' : terminal`: ${short(signal.reason)}`}`;
  }
}

/** `waits for the provider, 40 s: rate limit`, safe for a terminal. */
export function waitingText(signal: Extract<WorkerSignal, { kind: 'waiting' }>): TerminalText {
  return terminal`${short(waitsText(signal))}`;
}

/** `waits for the provider, 40 s: rate limit` */
export function waitsText({ seconds, reason }: { readonly seconds: number | null; readonly reason: string }): string {
  return `waits for the provider${seconds === null ? '' : `, ${Math.ceil(seconds)} s`}: ${reason}`;
}

/** Bounds a worker's text; the screen cuts it to its width. */
export function short(text: string): ReturnType<typeof limited> {
  return limited(text, 2000);
}

type ActionView = NonNullable<LiveWorkerView['actions']>[number];

/** One word for what the tools of all CLIs do; an unknown tool keeps its name. */
export function actionView({ tool, detail }: { readonly tool: string; readonly detail: string }): ActionView {
  return { what: toolActions.get(tool.toLowerCase()) ?? tool, on: detail };
}

/** `edits files`. Its last action decides, as far as its CLI reported one. */
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

export function permissionMatch(
  agent: AgentName,
  version: string | null,
  signal: WorkerSignal,
): PermissionMatch | null {
  return classifyDenial(agent, version, signal);
}

export function permissionMatchLine({ issue, action, path, ends }: PermissionMatch): TerminalText {
  const until = ends?.at ?? ends?.said ?? null;
  return terminal`# ${issue}, ${action}${path === null ? '' : terminal`: ${limited(path, 2000)}`}${until === null ? '' : terminal`, ends: ${limited(until, 200)}`}`;
}
