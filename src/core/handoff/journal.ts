import type { HandoffBundle, JournalFacts } from '../../contracts/handoff';
import { planChanged } from '../lifecycle/parts/planWait';
import { fold } from '../mission/evolve';
import { countable, usedSoFar } from '../mission/parts/budget';
import { attemptsOf } from '../mission/handoff/handoffs';
import { askingPacket } from '../mission/questions/questions';
import type { MissionEvent } from '../model/events';
import type { JournalEntry } from '../model/journalEntry';
import type { Mission } from '../model/state';
import { acceptance } from '../model/waitingWork';
import { blockCategory, heldLocks } from './bundle';
import type { HandoffProblem, JudgedBundle } from './import';

/**
 * Folds the journal of a handoff as any other. Its entries may hold anything, so the facts are only claimed to be of
 * their type: a schema judges them. `problem`: where the journal contradicts the bundle or the evidence; null: nowhere.
 *
 * @throws when the entries cannot be folded
 */
export function foldedJournal(
  entries: readonly JournalEntry<MissionEvent>[],
  handed: Omit<JudgedBundle, 'facts'>,
): { readonly facts: JournalFacts; readonly problem: HandoffProblem | null } {
  const mission = fold(entries);
  if (!mission) throw new Error('Broken invariant: a journal without an entry.');
  const what = contradiction(mission, handed);
  const reason = `The journal of the handoff ${what ?? ''}.`;
  const { launches, instructions, rows, budgets_asked, resumed_from: from } = mission;
  const { tokens, usd } = usedSoFar(mission);
  const hold = entries.findLast(
    ({ event }) => event.type === 'PauseRequested' || event.type === 'MissionResumed',
  )?.event;
  return {
    problem: what === null ? null : { code: 'LEDGER_INCONSISTENT', reason },
    facts: {
      bundles: from ? [...from.bundles, from.bundle_sha256] : [],
      launches,
      ...(instructions && { instructions: instructions.files.map(({ path, sha256 }) => ({ path, sha256 })) }),
      paused: hold?.type === 'PauseRequested' && hold.decision.actor.kind === 'human' ? hold.decision : null,
      canceled: mission.cancel,
      held: hold?.type === 'PauseRequested' ? null : ownPause(mission),
      acknowledged: mission.acknowledged,
      used: { tokens: countable(tokens), usd: countable(usd), budgets_asked },
      transitions: entries.flatMap(({ event }) => (event.type === 'RowTransitioned' ? [event] : [])),
      tasks: rows.map((row) => {
        const { task_id } = row.task;
        const asked = askingPacket(mission, task_id)?.question;
        // A layer of the first machine holds the work that it asks about.
        const question = asked?.choices.some(({ id }) => id === acceptance.choice) ? undefined : asked;
        return {
          ...{ task_id, category: blockCategory(row), answers: row.answers },
          // A result can be validated again only where its baseline is; elsewhere the packet is open again.
          retry: row.validates === null ? row.retry : null,
          ...(question && { question }),
        };
      }),
    },
  };
}

function ownPause({ hold }: Mission): JournalFacts['held'] {
  if (hold.kind !== 'paused' || hold.code === planChanged) return null;
  return { reason: hold.reason, code: hold.code };
}

function contradiction(mission: Mission, { bundle, given, rows }: Omit<JudgedBundle, 'facts'>): string | null {
  if (mission.mission_id !== given.mission_id) return 'is the one of another mission than the bundle names';
  if (!same(mission.run_id, bundle.run_id)) return 'is the one of another run than the bundle names';
  if (!same(mission.plan_sha256, given.plan_sha256)) return 'names another plan hash than the bundle';
  if (!mission.handoffs.some(({ n, move }) => n === given.handoff && (move !== null) === given.moved))
    return `knows no handoff ${given.handoff} that ${given.moved ? 'gives the run away' : 'keeps the run there'}`;
  if (lockNames(heldLocks(mission)) !== lockNames(bundle.active_locks)) return 'holds other locks than the bundle';
  if (mission.rows.length !== bundle.ledger.length) return 'has other tasks than the ledger';
  for (const [index, { task_id, status, version }] of bundle.ledger.entries()) {
    const row = mission.rows[index];
    const { evidence = null, sha256 = null } = rows[index] ?? {};
    if (row?.task.task_id !== task_id || row.status !== status || row.version !== version)
      return `leaves ${task_id} otherwise than its row: ${row?.status ?? 'no row'} after ${row?.version ?? 0} transitions`;
    if (attemptsOf(row) !== (evidence?.attempts ?? []).length)
      return `has other ended attempts of ${task_id} than its evidence`;
    if (row.evidence && !same(row.evidence.sha256, sha256)) return `names another digest of TASK_${task_id}.json`;
  }
  return null;
}

function lockNames(locks: HandoffBundle['active_locks']): string {
  const names = locks.flatMap(({ task_id, resource, active }) => (active ? [JSON.stringify([task_id, resource])] : []));
  return names.sort().join();
}

function same(left: string, right: string | null): boolean {
  return left.toUpperCase() === right?.toUpperCase();
}

/** A run that was handed over before may have another mission of the same plan behind it. */
export function isMissionOf(missionId: string, planId: string): boolean {
  return missionId.startsWith(`${planId}-`) && /^\d{8}T\d{6}Z-[0-9a-z]{6}$/.test(missionId.slice(planId.length + 1));
}
