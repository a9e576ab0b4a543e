import type { FleetOutcome } from '../../src/contracts/fleet';
import type { SealedText } from '../../src/contracts/fleetMirror';
import type {
  Claim,
  Fleet,
  FleetEntry,
  FleetExport,
  FleetMessage,
  FleetMission,
  Hold,
} from '../../src/engine/ports/fleet';

/** A fleet in memory that behaves like the one on PostgreSQL (same test suite). */
export interface MemoryFleet extends Fleet {
  /** Does what passes a lease's time: every host has been silent for too long. */
  silence(): void;
}

interface Entry {
  readonly id: string;
  readonly mission: FleetMission;
  readonly exports: Map<string, FleetExport>;
  readonly words: FleetMessage[];
  readonly decisions: string[];
  readonly submitted_at: string;
  state: Exclude<FleetEntry['state'], 'failed'>;
  claims: number;
  outcome: FleetOutcome | SealedText | null;
}

export function createMemoryFleet(): MemoryFleet {
  const entries: Entry[] = [];
  const hosts = new Map<string, string>();
  const isOpen = ({ state }: Entry): boolean => state === 'waiting' || state === 'running';
  const exportsOf = (id: string): readonly FleetExport[] => [
    ...(entries.find((entry) => entry.id === id)?.exports.values() ?? []),
  ];
  const claimOf = (entry: Entry): Claim => {
    const number = entry.claims;
    const run_id = `${entry.id}:${number}`;
    let heard = 0;
    const ifHeld = (change: () => void): Promise<Hold> => {
      if (entry.state !== 'running' || entry.claims !== number) return Promise.resolve('lost');
      change();
      return Promise.resolve('held');
    };
    return {
      id: entry.id,
      order: entry.mission.order,
      needs: entry.mission.needs,
      run_id,
      exports: () => Promise.resolve(exportsOf(entry.id)),
      beat: () => ifHeld(() => {}),
      record: (name, content) =>
        ifHeld(() => {
          if (!entry.exports.has(name)) entry.exports.set(name, { name, run_id, content });
        }),
      tell: (words) =>
        ifHeld(() => entry.words.push({ place: entry.words.length + 1, run_id, content: JSON.stringify(words) })),
      decisions: () => Promise.resolve(entry.decisions.slice(heard, (heard = entry.decisions.length))),
      end: (outcome) => ifHeld(() => Object.assign(entry, { state: 'ended', outcome })),
      handBack: () => ifHeld(() => (entry.state = 'waiting')),
    };
  };
  return {
    submit(mission) {
      const known = entries.find((entry) => isOpen(entry) && entry.mission.plan_hash === mission.plan_hash);
      if (known) return Promise.resolve({ kind: 'known', id: known.id });
      const { id } = mission;
      const submitted_at = new Date().toISOString();
      entries.push({
        id,
        mission,
        exports: new Map(),
        words: [],
        decisions: [],
        submitted_at,
        state: 'waiting',
        claims: 0,
        outcome: null,
      });
      return Promise.resolve({ kind: 'queued', id });
    },
    claim(labels) {
      const busy = new Set(entries.filter(({ state }) => state === 'running').map(({ mission }) => mission.repository));
      const [next] = entries
        .filter(
          ({ state, mission }) =>
            state === 'waiting' && !busy.has(mission.repository) && mission.needs.every((one) => labels.has(one)),
        )
        .toSorted((left, right) => right.mission.priority - left.mission.priority);
      if (next === undefined) return Promise.resolve(null);
      next.state = 'running';
      next.claims += 1;
      return Promise.resolve(claimOf(next));
    },
    list: () =>
      Promise.resolve(
        entries.map(({ id, mission: { order, priority }, state, claims, submitted_at, outcome }) => ({
          ...{ id, order, priority, state, claims, submitted_at, outcome },
        })),
      ),
    open: () => Promise.resolve(entries.filter(isOpen).map(({ id, state }) => ({ id, state }))),
    exported: (id) => Promise.resolve(exportsOf(id).map(({ name, run_id }) => ({ name, run_id }))),
    heard(id, place) {
      const entry = entries.find((one) => one.id === id);
      return Promise.resolve((entry?.words ?? []).filter((one) => one.place > place));
    },
    send(id, decision) {
      entries.find((one) => one.id === id)?.decisions.push(JSON.stringify(decision));
      return Promise.resolve();
    },
    announce(id, host) {
      hosts.set(id, JSON.stringify(host));
      return Promise.resolve();
    },
    hosts: () => Promise.resolve([...hosts.values()]),
    isOver: (run_id) => Promise.resolve(entries.some((one) => !isOpen(one) && `${one.id}:${one.claims}` === run_id)),
    cancel(id) {
      const entry = entries.find((one) => one.id === id && isOpen(one));
      if (entry) entry.state = 'canceled';
      return Promise.resolve(entry !== undefined);
    },
    silence() {
      for (const entry of entries) if (entry.state === 'running') entry.state = 'waiting';
    },
  };
}
