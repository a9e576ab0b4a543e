import { openFleetDatabase } from '../../../adapters/fleet/database';
import { createPgBossFleet } from '../../../adapters/fleet/pgBossFleet';
import type { Refusal } from '../../../base/outcome';
import { factLabels, fleetLabel, mostLabels } from '../../../contracts/fleet';
import { fleetSeals } from '../../../adapters/user/fleet';
import type { DoctorCheck } from '../../../engine/ports/doctor';
import type { Fleet, FleetSeals } from '../../../engine/ports/fleet';
import { UsageError, type Invocation, type OptionSpec } from '../../shell/command';
import type { ExitCode } from '../../shell/output';

/** Names the database; no process of a mission gets it. */
export const fleetVariable = 'MISSION_FLEET_DATABASE';

export const databaseOption = {
  database: {
    value: 'URL',
    help: `The database of the fleet, postgres://USER@HOST/NAME (default: ${fleetVariable}). A password belongs into that variable or into ~/.pgpass: other users see a command line.`,
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;

export const signOption = {
  sign: {
    value: 'KEY',
    help: 'The file of an SSH key that signs; of a public one your agent has the private half (default: your own key seals).',
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;

export const signersOption = {
  signers: {
    value: 'FILE',
    help: 'Keys of people whose orders count beside yours, in the format ALLOWED SIGNERS of ssh-keygen.',
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;

export function sealsOf(call: Invocation): FleetSeals {
  const file = (option: string): string | null =>
    call.text(option) === null ? null : call.file(call.text(option) ?? '');
  return fleetSeals({ signsWith: file('sign'), signers: file('signers') });
}

export const labelsOption = { value: 'LABELS' } as const;

/** Labels of an option, with commas between them. Sorted, each once. @throws UsageError */
export function labelsOf(call: Invocation, option: string): readonly string[] {
  const labels = [...new Set(call.text(option)?.split(',') ?? [])].sort();
  const wrong = labels.find((one) => !fleetLabel.safeParse(one).success);
  const fact = factLabels.find((one) => labels.includes(one));
  if (fact !== undefined)
    throw new UsageError(`--${option} does not name ${fact}, because a host has it by a fact or an option of its own.`);
  if (wrong !== undefined || labels.length > mostLabels)
    throw new UsageError(
      `--${option} takes up to ${mostLabels} labels with commas between them, of lower-case letters, digits, dots and dashes, such as gpu,big.`,
    );
  return labels;
}

/** Connects to the fleet of the call for as long as the work takes. @throws UsageError */
export async function withFleet(
  call: Invocation,
  work: (fleet: Fleet) => Promise<ExitCode>,
  does: Parameters<typeof openFleetDatabase>[1] = 'ask',
): Promise<ExitCode> {
  const database = await openFleetDatabase(addressOf(call), does);
  if (!database.ok) return call.out.refuse(database.refusal);
  try {
    return await work(createPgBossFleet(database.value.jobs));
  } finally {
    await database.value.close();
  }
}

/** Tells the doctor whether the database can be used, and what a host here would have. @throws UsageError */
export async function fleetChecks(call: Invocation, labels: readonly string[]): Promise<readonly DoctorCheck[]> {
  const check = (id: string, problem: Refusal | null, detail: string): DoctorCheck => ({
    ...{ id, ok: problem === null, required: true },
    ...{ detail: problem?.reason ?? detail, fix: problem?.next[0] ?? '' },
  });
  const most = labels.length === 0 ? 'nothing' : `at most ${labels.join(', ')}`;
  const host = check('fleet-host', null, `A host on this machine takes missions that need ${most}.`);
  const database = await openFleetDatabase(addressOf(call), 'ask');
  if (!database.ok) return [check('fleet-database', database.refusal, ''), host];
  try {
    const states = (await createPgBossFleet(database.value.jobs).list()).map(({ state }) => state);
    const count = (wanted: string): number => states.filter((state) => state === wanted).length;
    const detail = `The database answers. Missions that wait: ${count('waiting')}; that run: ${count('running')}.`;
    return [check('fleet-database', null, detail), host];
  } finally {
    await database.value.close();
  }
}

function addressOf(call: Invocation): string {
  const url = call.text('database') ?? call.environment[fleetVariable] ?? '';
  if (url === '') throw new UsageError(`No database is named. Set ${fleetVariable}, or write --database URL.`);
  return url;
}
