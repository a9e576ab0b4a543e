interface CommandEntry {
  readonly about: 'mission' | 'task' | 'packet';
  /** Its words after `mission`; a next step names it by them. */
  readonly line: string;
  /** The end of its id in VS Code, and its title there. */
  readonly name: string;
  readonly title: string;
  readonly icon?: string;
  /** The palette shows it while a mission is open, because the refusal helps, or blocked; absent: while one takes it. */
  readonly palette?: 'open' | 'blocked';
  /** Its group in the menu of a mission or of a task. */
  readonly menu: 'decide' | 'run' | 'open' | 'end';
  /** Its place among the buttons of the page that shows a mission; absent: none. */
  readonly button?: 1 | 2 | 3 | 4;
  /** It needs the files of the mission, so no host of a fleet takes it from afar. */
  readonly files?: true;
  /** Its line takes a mission, or a task, and nothing else. Absent: the line has a file of its own in `cli/commands`. */
  readonly plain?: PlainEntry;
}

export interface PlainEntry {
  readonly summary: string;
  /** How long a process stays that became the owner by it. */
  readonly then: 'run' | 'finish' | 'record';
}

/**
 * Every command of a person, once. The palette, menus, context keys, next steps and plain lines of the terminal derive
 * from it. Its schema is in `missionCommand.ts`, its meaning in `core/mission/commandTable.ts`: one without the others
 * does not compile.
 */
export const commandTable = {
  PauseMission: {
    about: 'mission',
    line: 'pause',
    name: 'pause',
    title: 'Pause',
    icon: 'debug-pause',
    palette: 'open',
    menu: 'run',
    button: 2,
    plain: { summary: 'Pause a mission after its current attempt.', then: 'record' },
  },
  ResumeMission: {
    about: 'mission',
    line: 'resume',
    name: 'resume',
    title: 'Resume',
    icon: 'debug-continue',
    palette: 'open',
    menu: 'run',
    button: 3,
    plain: { summary: 'Continue a paused or interrupted mission.', then: 'run' },
  },
  CancelMission: {
    about: 'mission',
    line: 'cancel',
    name: 'cancelMission',
    title: 'Cancel Mission',
    palette: 'open',
    menu: 'end',
    plain: {
      summary: 'Cancel a mission: stop its worker, skip open tasks, write the evidence.',
      then: 'finish',
    },
  },
  ExportHandoff: {
    about: 'mission',
    line: 'handoff export',
    name: 'exportHandoff',
    title: 'Export Handoff',
    palette: 'open',
    menu: 'open',
    files: true,
  },
  StopTask: {
    about: 'task',
    line: 'stop',
    name: 'stopWorker',
    title: 'Stop Worker',
    icon: 'debug-stop',
    menu: 'end',
    button: 4,
    plain: { summary: 'Stop the running worker of a task with its whole process tree.', then: 'finish' },
  },
  RetryTask: {
    about: 'task',
    line: 'retry',
    name: 'retryTask',
    title: 'Retry Task',
    icon: 'debug-restart',
    menu: 'run',
    plain: { summary: 'Try a blocked task again (outcome retry-repair).', then: 'run' },
  },
  RerunValidation: {
    about: 'task',
    line: 'rerun-validation',
    name: 'rerunValidation',
    title: 'Rerun Validation',
    menu: 'run',
    plain: {
      summary:
        'Judge once more what the last attempt of a blocked task left: observe, verify. Its worker is not launched.',
      then: 'run',
    },
  },
  ResolvePacket: {
    about: 'packet',
    line: 'packet resolve',
    name: 'resolveBlocker',
    title: 'Resolve Blocker',
    palette: 'blocked',
    menu: 'decide',
  },
  AcceptChanges: {
    about: 'task',
    line: 'accept',
    name: 'acceptChange',
    title: 'Accept Change…',
    menu: 'run',
    button: 1,
  },
  UndoAttempt: { about: 'task', line: 'undo', name: 'undoAttempt', title: 'Undo Attempt…', menu: 'run', files: true },
  SkipTask: { about: 'task', line: 'skip', name: 'skipTask', title: 'Skip Task', menu: 'end' },
  GrantDirectory: {
    about: 'task',
    line: 'grant',
    name: 'grantAndResume',
    title: 'Grant and Resume',
    menu: 'run',
    files: true,
  },
  CompleteIntervention: {
    about: 'task',
    line: 'intervene',
    name: 'completeIntervention',
    title: 'Complete Intervention',
    menu: 'decide',
    button: 1,
    plain: {
      summary:
        'Say that a result is complete which waited for a person (INTERVENTION_REQUIRED): it is verified once more.',
      then: 'run',
    },
  },
  AnswerQuestion: {
    about: 'task',
    line: 'answer',
    name: 'answerQuestion',
    title: 'Answer Question',
    menu: 'decide',
    button: 1,
  },
  ConfirmMemory: {
    about: 'task',
    line: 'memory confirm',
    name: 'confirmMemory',
    title: 'Confirm Memory',
    menu: 'decide',
    button: 1,
  },
  ReviseMetadata: { about: 'task', line: 'packet revise', name: 'reviseTask', title: 'Revise Task…', menu: 'run' },
  SupersedeMission: {
    about: 'mission',
    line: 'plan revise',
    name: 'newRevision',
    title: 'New Revision',
    menu: 'open',
    files: true,
  },
  Acknowledge: {
    about: 'mission',
    line: 'acknowledge',
    name: 'acknowledge',
    title: 'Acknowledge Failure',
    menu: 'decide',
    button: 1,
    plain: { summary: 'Record that a failure or block was seen.', then: 'record' },
  },
} as const satisfies Readonly<Record<string, CommandEntry>>;

type Table = typeof commandTable;
export type CommandType = keyof Table;
type With<K extends keyof CommandEntry, V> = {
  readonly [T in CommandType]: Table[T] extends Readonly<Record<K, V>> ? T : never;
}[CommandType];
/** Commands that the palette shows while a mission takes them. */
export type TakenCommand = Exclude<CommandType, With<'palette', string>>;
export type PlainLine = Table[With<'plain', object>]['line'];
/** Every command by its name in VS Code, with its title there. */
export type ByName<Entry> = { readonly [T in CommandType as Table[T]['name']]: Entry & Pick<Table[T], 'title'> };

/** The page draws none of them, so its bundle leaves the table out. */
export const commandEntries = /* @__PURE__ */ Object.entries(commandTable) as unknown as readonly (readonly [
  CommandType,
  CommandEntry & { readonly name: keyof ByName<object> },
])[];

/** Commands that need the files of a mission: no host of a fleet takes them from afar. */
export const fileCommands: ReadonlySet<CommandType> = /* @__PURE__ */ new Set(
  /* @__PURE__ */ commandEntries.flatMap(([type, { files }]) => (files ? [type] : [])),
);
