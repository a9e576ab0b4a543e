import { commandEntries } from '../contracts/vocabulary/commands';
import type { Command, CommandGroup, CommandSpec } from './shell/command';

/** Loads a command without the modules that only others need. */
type Load = () => Promise<Command>;

const human = (): Promise<typeof import('./commands/human')> => import('./commands/human');

/** Those about missions, or about tasks, that take nothing more; `stop` of a task also takes `--all`. */
function plain(about: 'mission' | 'task'): Readonly<Record<string, Load>> {
  return Object.fromEntries(
    commandEntries.flatMap(([, entry]) =>
      entry.plain && entry.about === about && entry.line !== 'stop'
        ? [[entry.line, async () => (await human()).plainCommand(entry.line)] as const]
        : [],
    ),
  );
}

const groups: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  Plans: {
    check: async () => (await import('./commands/check')).check,
    'plan new': async () => (await import('./commands/plan/planNew')).planNew,
    'plan draft': async () => (await import('./commands/plan/planDraft')).planDraft,
    'plan validate': async () => (await import('./commands/plan/planValidate')).planValidate,
    'plan approve': async () => (await import('./commands/plan/planApprove')).planApprove,
    'plan revise': async () => (await import('./commands/planRevise')).planRevise,
    'context new': async () => (await import('./commands/contextNew')).contextNew,
  },
  Missions: {
    run: async () => (await import('./commands/run')).run,
    status: async () => (await import('./commands/status')).status,
    list: async () => (await import('./commands/status')).list,
    diff: async () => (await import('./commands/diff')).diff,
    ...plain('mission'),
    stop: async () => (await human()).stop,
  },
  'A task that waits': {
    ...plain('task'),
    undo: async () => (await import('./commands/undo')).undo,
    skip: async () => (await human()).skip,
    accept: async () => (await human()).accept,
    grant: async () => (await human()).grant,
    answer: async () => (await human()).answer,
    'packet list': async () => (await import('./commands/packet')).packetList,
    'packet show': async () => (await import('./commands/packet')).packetShow,
    'packet resolve': async () => (await import('./commands/packet')).packetResolve,
    'packet revise': async () => (await import('./commands/packetRevise')).packetRevise,
  },
  'Memory, handoff and evidence': {
    'memory confirm': async () => (await import('./commands/memory')).memoryConfirm,
    'memory list': async () => (await import('./commands/memory')).memoryList,
    'memory show': async () => (await import('./commands/memory')).memoryShow,
    'memory verify': async () => (await import('./commands/memory')).memoryVerify,
    'memory set-aside': async () => (await import('./commands/memory')).memorySetAside,
    'handoff export': async () => (await import('./commands/handoff')).handoffExport,
    'handoff resume': async () => (await import('./commands/handoff')).handoffResume,
    'evidence verify': async () => (await import('./commands/evidenceVerify')).evidenceVerify,
    'journal export': async () => (await import('./commands/journal')).journalExport,
    'journal verify': async () => (await import('./commands/journal')).journalVerify,
    'audit export': async () => (await import('./commands/journal')).auditExport,
    'audit verify': async () => (await import('./commands/journal')).auditVerify,
  },
  'A fleet of machines': {
    'fleet setup': async () => (await import('./commands/fleet/missions')).fleetSetup,
    'fleet submit': async () => (await import('./commands/fleet/submit')).fleetSubmit,
    'fleet list': async () => (await import('./commands/fleet/missions')).fleetList,
    'fleet show': async () => (await import('./commands/fleet/missions')).fleetShow,
    'fleet cancel': async () => (await import('./commands/fleet/missions')).fleetCancel,
    'fleet watch': async () => (await import('./commands/fleet/watch')).fleetWatch,
    'fleet host': async () => (await import('./commands/fleet/host')).fleetHost,
  },
  'Machine and others': {
    doctor: async () => (await import('./commands/doctor')).doctor,
    clean: async () => (await import('./commands/clean')).clean,
    'events serve': async () => (await import('./commands/eventsServe')).eventsServe,
    'orch start': async () => (await import('./commands/orch')).orchStart,
    'orch task': async () => (await import('./commands/orch')).orchTask,
    'worker signals': async () => (await import('./commands/workerSignals')).workerSignals,
  },
};

const loads = new Map(Object.values(groups).flatMap((group) => Object.entries(group)));

/** The words of every command, in the order of the help. */
export const commandLines: readonly string[] = [...loads.keys()];

/** Null: no command has that name. */
export async function commandNamed(line: string): Promise<CommandSpec | null> {
  const load = loads.get(line);
  return load ? { name: line, ...(await load()) } : null;
}

export function loadGroups(): Promise<readonly CommandGroup[]> {
  return Promise.all(
    Object.entries(groups).map(async ([title, group]) => ({
      title,
      commands: await Promise.all(Object.entries(group).map(async ([name, load]) => ({ name, ...(await load()) }))),
    })),
  );
}
