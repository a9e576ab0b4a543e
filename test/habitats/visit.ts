import type { Printed } from '../cli/cliBed';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Expected, Habitat, ScenarioName, Seen } from './habitat';
import { Place } from './place';
import { plansOf } from './plans';
import { scenarios } from './scenarios';

/** One look at a habitat: what was seen, and what of it is not as expected. */
export interface Visit {
  /** A scenario, `doctor`, `afterwards`, or `made` where it could not be made. */
  readonly what: string;
  readonly seen: string;
  readonly expected: string;
  readonly problem: string | null;
  readonly seconds: number;
}

/**
 * Makes the habitat, plays the scenarios one after the other in it, and begins to remove it, which takes minutes where
 * it is large and the disk is busy.
 *
 * @param bubblewrap folder of one for plans that require a sandbox; null: none is required
 */
export async function visit(
  habitat: Habitat,
  wanted: readonly ScenarioName[],
  onVisit: (visit: Visit) => void,
  bubblewrap: string | null = null,
): Promise<{ readonly removed: Promise<void> }> {
  let place: Place | null = null;
  const timed = async (what: string, look: () => Promise<Omit<Visit, 'what' | 'seconds'>>): Promise<Visit> => {
    const began = performance.now();
    const failed = (error: unknown): Omit<Visit, 'what' | 'seconds'> => {
      const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return { seen: 'the test failed', expected: '', problem: words };
    };
    const found = { what, ...(await look().catch(failed)), seconds: (performance.now() - began) / 1000 };
    onVisit(found);
    return found;
  };
  const lookAround = async (): Promise<void> => {
    const made = await timed('made', async () => {
      place = new Place((outside) => plansOf(habitat, outside, bubblewrap !== null));
      await habitat.make(place);
      if (bubblewrap !== null) place.env['PATH'] = `${place.env['PATH'] ?? ''}${path.delimiter}${bubblewrap}`;
      return { seen: 'made', expected: 'made', problem: null };
    });
    if (made.problem !== null || place === null) return;
    const there: Place = place;
    const end = habitat.beside?.(there);
    await timed('doctor', async () => {
      const { json, exit, stderr } = await there.mission('doctor');
      const { checks } = (json ?? {}) as Partial<Printed>;
      const failed = checks?.filter(({ ok, required }) => !ok && required);
      const ids = failed?.map(({ id }) => id) ?? [json?.code ?? 'mission does not start'];
      const [seen, expected] = [ids, habitat.doctor ?? []].map((list) => list.join(', ') || 'all well');
      const problem =
        seen === expected
          ? null
          : `seen ${seen}, expected ${expected} (exit ${exit}) ${stderr}${JSON.stringify(failed)}`;
      return { seen: seen ?? '', expected: expected ?? '', problem };
    });
    for (const name of wanted) {
      await timed(name, async () => {
        const seen = await scenarios[name](there, habitat);
        return compared(seen, expectedOf(habitat, name));
      });
    }
    if (end) await timed('beside', () => end().then(() => ({ seen: 'ended', expected: 'ended', problem: null })));
    // What a worker left outside the workspace is looked at there; no sandbox lets it.
    if (habitat.afterwards && (bubblewrap === null || habitat.confined === true)) {
      const look = habitat.afterwards;
      await timed('afterwards', async () => {
        const facts = Object.entries(await look(there));
        const expected = facts.map(([fact]) => fact).join(', ');
        const broken = facts.flatMap(([fact, holds]) => (holds ? [] : [fact]));
        return broken.length === 0
          ? { seen: expected, expected, problem: null }
          : { seen: `not: ${broken.join(', ')}`, expected, problem: `not so: ${broken.join(', ')}` };
      });
    }
  };
  await lookAround();
  return { removed: (place as Place | null)?.dispose() ?? Promise.resolve() };
}

function compared({ says, ...seen }: Seen, { says: words, ...expected }: Expected): Omit<Visit, 'what' | 'seconds'> {
  const same = isDeepStrictEqual(seen, expected);
  const told = words === undefined || words.test(says);
  const problem =
    same && told ? null : `seen ${phrase(seen)}: ${says}${told ? '' : ` (which should say ${String(words)})`}`;
  return { seen: phrase(seen), expected: phrase(expected), problem };
}

function phrase({ exit, status, code, facts }: Omit<Seen, 'says'>): string {
  const head = [`exit ${exit ?? 'none'}`, status, code].filter((part) => part !== null).join(' ');
  return [head, ...facts].join('; ');
}

/** What a plain repository gives, with what the row says instead. */
function expectedOf({ expected }: Habitat, name: ScenarioName): Expected {
  return { ...plain[name], ...expected?.every, ...expected?.[name] };
}

const completed = { exit: 0, status: 'completed', code: null } as const;
const failed = { exit: 1, status: 'failed', code: 'SCOPE_VIOLATION' } as const;
const plain: Readonly<Record<ScenarioName, Expected>> = {
  sample: { ...completed, facts: ['evidence verifies'] },
  // Nothing but its time gives it to the worker: a person decides.
  violation: {
    exit: 3,
    status: 'blocked',
    code: 'CONCURRENCY_CONFLICT',
    facts: ['kept.txt', 'stray.txt', 'evidence verifies'],
  },
  block: { exit: 3, status: 'blocked', code: 'ACCEPTANCE_FAILED', facts: ['packet verification_failed'] },
  retry: { ...completed, facts: ['evidence verifies'] },
  again: { ...completed, facts: ['1 archived', 'evidence verifies'] },
  hook: { ...failed, facts: ['hooks/post-merge', 'evidence verifies'] },
  cancel: { exit: 1, status: 'cancelled', code: 'CANCELLED', facts: ['evidence verifies'] },
  kill: { ...completed, facts: ['1 executions', 'evidence verifies'] },
  handoff: { exit: 0, status: null, code: null, facts: ['the bundle is valid'] },
  'handoff resume': { ...completed, facts: ['evidence verifies'] },
  'disk full': { ...completed, facts: ['it told why', 'evidence verifies'] },
};
