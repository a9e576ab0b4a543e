import assert from 'node:assert/strict';
import { skipWithReason } from '../support/skip';
import { needsBubblewrap } from '../support/bubblewrap';
import { Ahead } from './ahead';
import { scenariosIn, type Habitat } from './habitat';
import { visit, type Visit } from './visit';

/** Habitats that are visited at a time; other test files run beside this one. */
const places = 2;

/**
 * `confined`: the sample, by a plan that requires a sandbox. Else sample, violation and block in each of these
 * habitats: a suite for each, which waits for the visit that is under way, while the next habitats are visited already.
 */
export function lookAround(name: string, all: readonly Habitat[], confined = false): void {
  const habitats = all.filter(({ rare }) => rare !== true);
  describe(`habitats: ${name}`, function () {
    this.timeout(900_000);
    let bubblewrap: string | null = null;
    before(function () {
      if (confined) bubblewrap = needsBubblewrap(this);
    });
    const kind = confined ? 'confined' : 'brief';
    const visits = new Ahead(habitats, places, (habitat) => visitOf(habitat, kind, bubblewrap));
    after(async () => {
      for (const visiting of visits.begun()) await (await visiting).removed;
    });

    for (const habitat of habitats)
      describe(habitat.name, () => {
        let visited: Visits;
        before(async () => {
          visited = await visits.of(habitat);
        });
        const looks = [
          ...['doctor', ...scenariosIn(habitat, kind), ...(habitat.beside ? ['beside'] : [])],
          ...(habitat.afterwards && (!confined || habitat.confined === true) ? ['afterwards'] : []),
        ];
        for (const what of looks) {
          it(what, function () {
            const { lacks, found } = visited;
            if (lacks !== null) skipWithReason(this, lacks);
            const made = found.get('made');
            assert.equal(made?.problem, null, `it was not made: ${made?.problem}`);
            const one = found.get(what);
            assert.ok(one, `${what} was not looked at`);
            assert.equal(one.seen, one.expected, one.problem ?? '');
            assert.equal(one.problem, null);
          });
        }
      });
  });
}

interface Visits {
  /** Why it cannot be made here. */
  readonly lacks: string | null;
  readonly found: ReadonlyMap<string, Visit>;
  /** No look waits for it. */
  readonly removed: Promise<void>;
}

async function visitOf(habitat: Habitat, kind: 'brief' | 'confined', bubblewrap: string | null): Promise<Visits> {
  const lacks = (await habitat.lacks?.()) ?? null;
  if (lacks !== null) return { lacks, found: new Map(), removed: Promise.resolve() };
  const found = new Map<string, Visit>();
  const { removed } = await visit(habitat, scenariosIn(habitat, kind), (one) => found.set(one.what, one), bubblewrap);
  removed.catch(() => undefined); // who waits for it hears of it
  return { lacks: null, found, removed };
}
