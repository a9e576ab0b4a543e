import { evolve } from '../../src/core/mission/evolve';
import type { Mission } from '../../src/core/model/state';
import { play } from '../scenarios/play';
import type { Situation } from '../scenarios/scenario';
import { paced, type Entries } from '../support/panelOf';

/**
 * The journal of a played scenario, as the real core wrote it. A scenario's clock ticks once per input and its plan has
 * the name P: here workers take their time, and the plan has a name that a person could have given it.
 *
 * @param until the mission is left there; absent: where it came to rest
 */
export function journalOf(situation: Situation, plan: string, until?: (mission: Mission) => boolean): Entries {
  const played = paced(play(situation).entries);
  const mission = `${plan}-20260101T100212Z-k3x9ad`;
  const entries = JSON.parse(JSON.stringify(played), (_, value: unknown) =>
    typeof value === 'string' ? shifted(renamedText(value, plan, mission)) : value,
  ) as Entries;
  return until ? left(entries, until) : entries;
}

/** Up to the first append after which the mission is as asked. */
function left(entries: Entries, until: (mission: Mission) => boolean): Entries {
  let mission: Mission | null = null;
  for (const [index, entry] of entries.entries()) {
    mission = evolve(mission, entry);
    if (entries[index + 1]?.at !== entry.at && until(mission)) return entries.slice(0, index + 1);
  }
  throw new Error(`The mission never was like that: ${String(until)}`);
}

function renamedText(text: string, plan: string, mission: string): string {
  if (text === 'M') return mission;
  if (text === 'P') return plan;
  return text
    .replace(/\bM\.p(?=\d)/g, `${mission}.p`)
    .replaceAll('PLAN_P', `PLAN_${plan}`)
    .replaceAll('executions/P/', `executions/${plan}/`)
    .replace(/^A{64}$/, `2FB2FDD5${'0123456789ABCDEF'.repeat(4)}`.slice(0, 64));
}

/** Scenarios begin at midnight, people later. */
const morning = 10 * 3600 + 132;

function shifted(text: string): string {
  if (!/^2026-01-01T\d\d:[\d:]+(?:\.\d+)?Z$/.test(text)) return text;
  return new Date(Date.parse(text) + morning * 1000).toISOString();
}
