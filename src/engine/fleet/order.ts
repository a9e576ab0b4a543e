import { parsedJson } from '../../base/json';
import { done, refused, type Outcome } from '../../base/outcome';
import { fleetOrderSchema, type FactLabel, type FleetHost, type FleetOrder } from '../../contracts/fleet';
import type { Plan } from '../../contracts/plan';
import type { AgentName } from '../../contracts/vocabulary/workers';
import { defaultApprovalHours } from '../../contracts/vocabulary/plan';
import { approvedPlanOf } from '../../core/plan/normalize';
import { judgeApproval } from '../../core/plan/approvalRecord';
import { defaultWorkerOfPlans } from '../plans/check';
import type { FleetSeals, Opened } from '../ports/fleet';

/** An order whose seal holds. */
export interface SealedOrder extends Pick<Opened, 'signer'> {
  readonly order: FleetOrder;
}

/**
 * Reads an order from the database, where each user with its password may write. Refuses one without a seal that holds,
 * or whose approval no longer counts.
 *
 * @param repositories beginnings of addresses that signers may name beside this user
 */
export async function readOrder(
  value: unknown,
  seals: FleetSeals,
  now: string,
  repositories: readonly string[],
): Promise<Outcome<SealedOrder>> {
  const read = await sealedOrder(value, seals);
  if (!read.ok) return read;
  if (read.value === null)
    return refused(
      'FLEET_ORDER_REFUSED',
      'That row holds no order that counts here: neither the key of this user nor one that its owner listed has sealed it.',
      'Submit the plan with the key of the host, or sign it with a key that stands in the --signers of the host.',
    );
  const { order, signer } = read.value;
  const { plan_sha256, risk_level, approved, repository } = order;
  if (signer !== null && repository.startsWith('file:'))
    return refused(
      'FLEET_ORDER_REFUSED',
      `The order of ${signer} names a folder of this machine, ${repository}. Only orders with the seal of this user may.`,
      'Submit the plan again with a repository that is reached by HTTPS or SSH.',
    );
  if (signer !== null && !repositories.some((beginning) => beginsWith(repository, beginning)))
    return refused(
      'FLEET_ORDER_REFUSED',
      `The order of ${signer} names ${repository}, which no --repository of this host allows.`,
      'Ask the owner of the host to allow it, then submit the plan again.',
    );
  const here = { workspace_dir: '', machine_id: '' };
  const { by, at, nonce, speaks_to, instructions } = approved;
  const record = {
    ...{ by, at, nonce, plan_sha256, ...here },
    ...(speaks_to && { speaks_to }),
    ...(instructions && { instructions }),
  };
  const recorded = { by, at, record, sealed: true, used_by: null };
  const verdict = judgeApproval([recorded], { risk_level, now, hours: defaultApprovalHours, here });
  return verdict.counts
    ? done(read.value)
    : refused('APPROVAL_RECORD_REQUIRED', verdict.why, 'Approve the plan again, then submit it again.');
}

/** Compares whole parts of addresses; one that goes up with `..` begins with nothing. */
function beginsWith(repository: string, beginning: string): boolean {
  const plain = repository.replaceAll(/%2e/gi, '.').replaceAll(/%2f/gi, '/');
  if (/(?:^|[/:])\.\.(?:\/|$)/.test(plain)) return false;
  return repository === beginning || repository.startsWith(/[/:]$/.test(beginning) ? beginning : `${beginning}/`);
}

/** Labels that a host of the plan has to have: what the plan needs, and what a person asked for. Sorted, each once. */
export function needsOf(
  plan: Plan,
  asked: readonly string[],
  { push, signed }: { readonly push: boolean; readonly signed: boolean },
): readonly string[] {
  const { tasks } = approvedPlanOf(plan, { defaultWorker: defaultWorkerOfPlans });
  const agents = tasks.flatMap(({ worker }) => (worker === 'command' ? [] : [worker]));
  const facts: readonly (FactLabel | null)[] = [
    push ? 'push' : null,
    plan.execution.confinement === 'required' ? 'sandbox' : null,
    signed ? 'signed' : null,
  ];
  return [...new Set([...asked, ...agents, ...facts.filter((fact) => fact !== null)])].sort();
}

/** Labels of an agent and its version: `NAME-1.2` means any `1.2.x`. */
export function labelsOfAgent(name: AgentName, version: string | null): readonly string[] {
  const numbers = version?.split('.') ?? [];
  return [name, ...numbers.map((_, place) => `${name}-${numbers.slice(0, place + 1).join('.')}`)];
}

/** Says why a mission that waits has no host. @param isBusy a mission of its repository runs */
export function whyItWaits(needs: readonly string[], hosts: readonly FleetHost[], isBusy: boolean): string {
  if (hosts.length === 0) return 'No host whose key counts here has said a word for a minute.';
  const lacks = hosts.map(({ host, labels }) => ({ host, lacks: needs.filter((one) => !labels.includes(one)) }));
  const fits = lacks.filter((one) => one.lacks.length === 0).map(({ host }) => host);
  if (fits.length === 0)
    return `No host has what it needs: ${lacks.map((one) => `${one.host} lacks ${one.lacks.join(', ')}`).join('; ')}.`;
  return isBusy
    ? 'Hosts run one mission of a repository at a time, and one of its repository runs.'
    : `It is the turn of others, or a host takes it next: ${fits.join(', ')}.`;
}

/** The order behind a seal that holds; null: it is not such an order. */
export async function sealedOrder(value: unknown, seals: FleetSeals): Promise<Outcome<SealedOrder | null>> {
  const opened = await seals.open({ kind: 'order' }, value);
  if (!opened.ok || opened.value === null) return opened as Outcome<null>;
  const { text, signer } = opened.value;
  const order = fleetOrderSchema.safeParse(parsedJson(text));
  return done(order.success ? { order: order.data, signer } : null);
}
