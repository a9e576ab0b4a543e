import type { Claim, Fleet, FleetExport, FleetMission, Hold } from '../../src/engine/ports/fleet';

/** A fleet in memory that behaves like the one on PostgreSQL (same test suite). */
export interface MemoryFleet extends Fleet {
  /** Does what passes a lease's time: every host has been silent for too long. */
  silence(): void;
}

interface Entry {
  readonly mission: FleetMission;
  readonly exports: Map<string, FleetExport>;
  state: 'waiting' | 'claimed' | 'ended';
  claims: number;
}

export function createMemoryFleet(): MemoryFleet {
  const entries: Entry[] = [];
  const isOpen = (entry: Entry): boolean => entry.state !== 'ended';
  const claimOf = (entry: Entry): Claim => {
    const number = entry.claims;
    const run_id = `${entry.mission.plan_hash}:${number}`;
    const ifHeld = (change: () => void): Promise<Hold> => {
      if (entry.state !== 'claimed' || entry.claims !== number) return Promise.resolve('lost');
      change();
      return Promise.resolve('held');
    };
    return {
      mission: entry.mission,
      run_id,
      exports: () => Promise.resolve([...entry.exports.values()]),
      beat: () => ifHeld(() => {}),
      record: (name, content) =>
        ifHeld(() => {
          if (!entry.exports.has(name)) entry.exports.set(name, { name, run_id, content });
        }),
      end: () => ifHeld(() => (entry.state = 'ended')),
      handBack: () => ifHeld(() => (entry.state = 'waiting')),
    };
  };
  return {
    submit(mission) {
      if (entries.some((entry) => isOpen(entry) && entry.mission.plan_hash === mission.plan_hash))
        return Promise.resolve('known');
      entries.push({ mission, exports: new Map(), state: 'waiting', claims: 0 });
      return Promise.resolve('queued');
    },
    claim() {
      const busy = new Set(entries.filter(({ state }) => state === 'claimed').map(({ mission }) => mission.repository));
      const [next] = entries
        .filter(({ state, mission }) => state === 'waiting' && !busy.has(mission.repository))
        .toSorted((left, right) => right.mission.priority - left.mission.priority);
      if (next === undefined) return Promise.resolve(null);
      next.state = 'claimed';
      next.claims += 1;
      return Promise.resolve(claimOf(next));
    },
    silence() {
      for (const entry of entries) if (entry.state === 'claimed') entry.state = 'waiting';
    },
  };
}
