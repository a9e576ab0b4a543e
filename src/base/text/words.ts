import type { ActorKind } from '../../contracts/vocabulary/actors';
import type { SandboxMeans } from '../../contracts/vocabulary/confinement';
import type { LedgerStatus, MissionStatus, DriverOutcome } from '../../contracts/vocabulary/execution';
import type { RecoveryPermission } from '../../contracts/vocabulary/intents';
import type { Used } from './amounts';
import type { Confinement } from '../../contracts/vocabulary/workers';
import { cut, oneLine } from './plainLine';

// One word for one thing wherever a person reads: command line, terminals, panel, status bar, notifications, pages of
// evidence. Journal, JSON and exit codes keep the contracts' values, with both spellings of "canceled".

export const missionWords: Readonly<Record<MissionStatus, string>> = {
  planned: 'planned',
  running: 'running',
  paused: 'paused',
  blocked: 'blocked',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'canceled',
};

/** Says how a mission of a fleet ended: a status of a mission, or a word of its host. */
export function endedWord(status: string): string {
  return Object.hasOwn(missionWords, status) ? missionWords[status as MissionStatus] : status;
}

export const taskWords: Readonly<Record<LedgerStatus, string>> = {
  todo: 'to do',
  in_progress: 'running',
  blocked: 'blocked',
  done: 'done',
  failed: 'failed',
  canceled: 'canceled',
};

/** How an attempt or a phase of it ended, after its name. */
export const outcomeWords: Readonly<Record<DriverOutcome, string>> = {
  PASS: 'passed',
  HALT: 'did not pass',
  ASK_USER: 'asked a person',
  INTERVENTION_REQUIRED: 'needs a person',
};

/**
 * @param interrupted no process runs the mission although its journal says "running"
 * @param pausing it pauses once what runs of it has ended
 * @param needs `answer`: it asks a person, and nothing failed
 */
export function missionWord({
  status,
  interrupted,
  pausing,
  needs,
}: {
  readonly status: MissionStatus;
  readonly interrupted: boolean;
  readonly pausing?: boolean;
  readonly needs: 'answer' | 'decision' | 'look' | null;
}): string {
  if (interrupted) return 'interrupted';
  if (needs === 'answer') return 'asks you';
  return pausing === true ? 'pausing' : missionWords[status];
}

interface MayBeStopped {
  /** Blocked because a person stopped it, so the code is not shown. */
  readonly stopped?: boolean;
  /** A person skipped it. */
  readonly skipped?: boolean | undefined;
  /** Its attempt waits for a person; nothing of it runs. */
  readonly awaited?: boolean | undefined;
  /** It waits for an answer, and nothing failed. */
  readonly asks?: boolean | undefined;
  /** No process watches its attempt, which has not ended. */
  readonly interrupted?: boolean | undefined;
  readonly code: string | null;
  readonly reason?: string;
}

export function taskWord({
  status,
  stopped,
  skipped,
  awaited,
  asks,
  interrupted,
}: Omit<MayBeStopped, 'code'> & { readonly status: LedgerStatus }): string {
  if (skipped === true) return 'skipped';
  if (awaited === true || asks === true) return 'asks you';
  if (interrupted === true) return 'interrupted';
  return stopped === true && status === 'blocked' ? 'stopped' : taskWords[status];
}

/** The code to show beside the word; null: none. A question has none. The sentences of a failed command and of a denial say more than its code. */
export function shownCode({ code, stopped, asks, reason = '' }: MayBeStopped): string | null {
  return stopped === true ||
    asks === true ||
    code === 'ACCEPTANCE_FAILED' ||
    denialEnds.some((end) => reason.endsWith(end))
    ? null
    : code;
}

/** The ends of what a person reads of a denial: a person may grant it, or no grant opens it. */
export const denialEnds = ['You may grant that for one attempt.', 'No grant opens that.'] as const;

/** The code in words, as the state of a row; null: it has no words that say more than `blocked`. */
export function codeWord(code: string | null): string | null {
  return code === null ? null : (codeWords[code] ?? null);
}

/** The code in words; in its own where the table has none that say more. */
export function wordsOfCode(code: string): string {
  return codeWord(code) ?? code.toLowerCase().replaceAll('_', ' ');
}

const codeWords: Readonly<Partial<Record<string, string>>> = {
  CONCURRENCY_CONFLICT: 'unexplained changes',
  LEDGER_INCONSISTENT: 'records contradict each other',
  MISSING_VALIDATOR: 'not validated',
  SCHEMA_INVALID: 'result not valid',
  SCOPE_VIOLATION: 'changes outside its paths',
  TASK_TIMEOUT: 'deadline passed',
};

/** The words beside a block in a list, or `stopped` where a person did it; null: its reason says it. */
export function blockWord(block: MayBeStopped): string | null {
  return block.stopped === true ? 'stopped' : codeWord(shownCode(block));
}

/** `Task T1 is blocked (TASK_TIMEOUT): ...`, `Task T1 was stopped by Ada: ...`. `task`: within another sentence. */
export function taskSentence(
  task: MayBeStopped & { readonly task_id: string; readonly status: LedgerStatus; readonly reason: string },
  start: 'Task' | 'task' = 'Task',
): string {
  const { task_id, status, stopped, skipped, awaited, asks, reason } = task;
  if (stopped === true && reason.startsWith(stoppedBy))
    return `${start} ${task_id} was stopped by ${reason.slice(stoppedBy.length)}`;
  if (skipped === true && reason.startsWith(skippedBy))
    return `${start} ${task_id} was skipped by ${reason.slice(skippedBy.length)}`;
  // The code of an earlier block does not explain why a task was canceled.
  const code = status === 'canceled' ? null : shownCode(task);
  const verb = status === 'failed' || awaited === true || asks === true ? '' : 'is ';
  return `${start} ${task_id} ${verb}${taskWord(task)}${code === null ? '' : ` (${code})`}${reason === '' ? '.' : `: ${reason}`}`;
}

/** `Task T1 waits for an answer. Its worker NAME asks: ...`, on one line. */
export function askedSentence(
  {
    task_id,
    question,
  }: {
    readonly task_id: string;
    readonly question: {
      readonly text: string;
      readonly asked_by: { readonly kind: ActorKind; readonly name: string };
    };
  },
  start: 'Task' | 'task' = 'Task',
): string {
  const { kind, name } = question.asked_by;
  const who = { human: name, runner: 'The runner', orchestrator: 'The orchestrator', worker: `Its worker ${name}` }[
    kind
  ];
  return `${start} ${task_id} waits for an answer. ${who} asks: ${cut(oneLine(question.text), 500)}`;
}

/** An answer with what it says to lines, one a line. */
export function answerText({ text, comments = [] }: Said): string {
  const said = comments.map((one) => `${one.path}:${one.line}: ${one.text}`);
  return [...(text === '' ? [] : [text]), ...said].join('\n');
}

interface Said {
  readonly text: string;
  readonly comments?: readonly { readonly path: string; readonly line: number; readonly text: string }[] | undefined;
}

/** Says what every answer to a question leads to; null: its choices say it. */
export function answerWords(leadsTo: 'attempt' | 'record' | undefined): string | null {
  if (leadsTo === undefined) return null;
  return leadsTo === 'attempt'
    ? 'Every answer tries the task again, a no as well; the worker is given the answer.'
    : 'An answer is recorded and runs nothing, because the command of the task reads no answer.';
}

/** Says what the budget of a plan does, for the person who approves it. */
export function budgetWords(onExceed: 'pause' | 'stop'): string {
  const stops = onExceed === 'stop' ? 'stops agents that run, where their CLIs tell usage before they end, and ' : '';
  return `Used up, it ${stops}asks you before another attempt; what a CLI does not tell is not counted.`;
}

/** The beginning of the reason of a stop. */
export const stoppedBy = 'Stopped by ';
/** The beginning of the reason of a skip. */
export const skippedBy = 'Skipped by ';

/** Recovery permissions in plain words. `granted`: the beginning of a sentence that the name of a place ends. */
export const recoveryWords: Readonly<
  Record<
    RecoveryPermission,
    { readonly label: string; readonly detail: string; readonly short: string; readonly granted: string }
  >
> = {
  add_directory: {
    label: 'Give an agent an approved folder',
    detail: 'Start an agent again with a folder that this plan allows and that it was denied.',
    short: 'adding an approved folder',
    granted: 'its worker may also read and write',
  },
  skip_git_repo_check: {
    label: 'Work without a Git repository',
    detail: 'Start Codex also where the folder is no Git repository.',
    short: 'working without a Git repository',
    granted: 'Codex starts although this is no Git repository:',
  },
  trust_workspace: {
    label: 'Trust this folder for Gemini',
    detail: 'Start Gemini here although it does not trust this folder, whose settings it ignores.',
    short: 'trusting this folder for Gemini',
    granted: 'Gemini starts although it was not set to trust',
  },
  fix_permissions: {
    label: 'Correct file permissions',
    detail: 'Give this user the right to read and write a file of the plan, one file at a time.',
    short: 'giving this user rights to files of the plan',
    granted: 'this user gets the right to read and write what was denied in',
  },
};

/** Completes the sentence "<worker> is confined by ...". */
export const confinementWords: { readonly [C in Confinement]: string } = {
  task_sandbox: 'a sandbox around the approved paths of its task',
  os_sandbox: 'the sandbox of the operating system',
  tool_limits: 'limits on its tools',
  none: 'nothing',
};

/** The same beside a worker's name. */
export const confinementShort: { readonly [C in Confinement]: string } = {
  task_sandbox: 'confined',
  os_sandbox: 'confined by its CLI',
  tool_limits: 'limited by its CLI',
  none: 'not confined',
};

/** What to do where a CLI cannot build a sandbox of its own inside ours. */
export const ownAlone = 'Start with `--confinement preferred`: the CLI is then held by its own sandbox alone.';

/** Marks means that were never seen to work: a sentence with a blank in front, or nothing. */
export function untried(means: SandboxMeans): string {
  return means === 'seatbelt'
    ? ' It is written for macOS and was not tried there, but for one write by this machine.'
    : '';
}

/** `intent code_generation (from its type)`. */
export function intentWords(intent: string, from: keyof typeof intentSources): string {
  return `intent ${intentAndSource(intent, from)}`;
}

/** `code_generation (from its type)`. */
export function intentAndSource(intent: string, from: keyof typeof intentSources): string {
  return `${intent} (${intentSources[from]})`;
}

const intentSources = {
  declared: 'declared',
  type: 'from its type',
  description: 'from its description',
  default: 'by default',
} as const;

/** Says what the audit log of a mission holds. */
export function auditWords({ sealed, invocations }: { readonly sealed: number; readonly invocations: number }): string {
  const models =
    invocations === 0 ? '' : `, ${invocations} ${invocations === 1 ? 'invocation' : 'invocations'} of agents`;
  return `${sealed} ${sealed === 1 ? 'attempt' : 'attempts'} sealed${models}`;
}

/** `1200 tokens in, 300 out, $0.0123`; `?` stands for a value that no CLI reported. */
export function countedTokens({ input_tokens, output_tokens, cost_usd }: Used): string {
  const tokens = `${input_tokens ?? '?'} tokens in, ${output_tokens ?? '?'} out`;
  return cost_usd === null ? tokens : `${tokens}, $${cost_usd.toFixed(4)}`;
}

/** `2 attempts`, or `1 attempt and 2 validations`, which launched no worker. @param attempts validations included */
export function attemptsWords(attempts: number, validations = 0): string {
  const ran = attempts - validations;
  const words = `${ran} attempt${ran === 1 ? '' : 's'}`;
  return validations === 0 ? words : `${words} and ${validations} validation${validations === 1 ? '' : 's'}`;
}

/** Says how many changes of others were recorded beside a task, such as `3 changes by others`. */
export function othersWords(count: number): string {
  return `${count} ${count === 1 ? 'change' : 'changes'} by others`;
}

/** The result of a success criterion: `met`, `accepted by Ann`. */
export function criterionWords({
  result,
  accepted_by = [],
}: {
  readonly result: string;
  readonly accepted_by?: readonly string[] | undefined;
}): string {
  return `${result.replaceAll('_', ' ')}${accepted_by.length > 0 ? ` by ${accepted_by.join(' and ')}` : ''}`;
}

export function notWritten(n: number, refused: { readonly file: string | null; readonly reason: string }): string {
  const { file, reason } = refused;
  return `Handoff ${n} was not written${file === null ? '' : ` because of ${file}`}: ${reason}`;
}

export function grantWords(grant: {
  readonly permission: string;
  readonly directory: string;
  readonly reads?: true | undefined;
  readonly file?: string | undefined;
}): string {
  const { permission, directory, reads, file } = grant;
  if (permission !== 'add_directory') return `${permission} on ${directory}`;
  return `${reads ? 'reading' : 'reading and writing'} of ${file ?? directory}`;
}

export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
