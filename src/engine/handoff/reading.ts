import {
  handoffSchema,
  journalFactsSchema,
  type HandoffBundle,
  type JournalFacts,
  type MissionHandoff,
} from '../../contracts/handoff';
import { taskEvidenceSchema } from '../../contracts/taskEvidence';
import { handoffNames } from '../../contracts/vocabulary/handoff';
import type { HandedRow } from '../../core/handoff/import';
import { foldedJournal, isMissionOf } from '../../core/handoff/journal';
import { validateHandoff } from '../../core/freshContext/handoff';
import { valueAt } from '../../base/json';
import type { Outcome } from '../../base/outcome';
import { addedIn, secretsIn } from '../../core/documents/secrets';
import { lockFindings } from '../../core/locks/validateLocks';
import { contractCode } from '../../core/documents/verdict';
import type { HandoffChecks, HandoffRefusalCode } from './checks';
import { requiredHandoffFiles } from '../effects/write/handoffFolder';
import type { EnginePorts } from '../ports/engine';
import type { HandoffFile } from '../ports/handoff';
import { commandLine } from '../../base/text/oneLine';
import { decisionStep } from '../../base/text/steps';
import type { RunRequest } from '../mission/startRequirements';

export interface HandoffRefusal {
  readonly code: HandoffRefusalCode;
  readonly reason: string;
  readonly next: readonly string[];
  /** What the handoff holds and this repository lacks: a person may have it written from there. */
  readonly lacks?: 'plan' | 'outputs';
}
export type Judged<T> = Outcome<T, HandoffRefusal>;

export function handoffRefused(code: HandoffRefusalCode, reason: string, ...next: string[]): Judged<never> {
  return { ok: false, refusal: { code, reason, next } };
}

/** A handoff folder that is complete, unchanged, of a known version and consistent. */
export interface ReadHandoff {
  readonly bundle: HandoffBundle;
  readonly given: MissionHandoff;
  readonly bundle_sha256: string;
  readonly files: ReadonlyMap<string, HandoffFile>;
  readonly rows: readonly HandedRow[];
  readonly facts: JournalFacts;
}

const complete = 'Fetch the whole folder from where it was exported.';
const elsewhere = 'Check the path of the folder. If it is right, fetch the whole folder from where it was exported.';
const again = 'Export it again where the run is, and bring the whole folder.';

export function exportAgain(missionId: string): string {
  return `Export it again where the run is: mission handoff export ${missionId}`;
}

/** Reads a handoff folder and judges it without the workspace; `checks` gets the result of each protocol item. */
export async function readHandoff(
  folder: string,
  ports: EnginePorts,
  checks: HandoffChecks,
): Promise<Judged<ReadHandoff>> {
  const refuse = (
    at: 'structure' | 'version',
    code: HandoffRefusalCode,
    reason: string,
    next: string,
  ): Judged<never> => {
    checks.fail('session_reset', 1, code, reason);
    checks.fail('minimal_start', at === 'version' ? 1 : 0, code, reason);
    return { ok: false, refusal: { code, reason, next: [next] } };
  };
  const broken = ({ code, reason, next }: HandoffRefusal): Judged<never> =>
    refuse('structure', code, reason, next[0] ?? again);
  const file = await ports.handoffs.read(folder, handoffNames.bundle);
  if (!file.ok) return refuse('structure', 'MISSING_REQUIRED_INPUT', file.refusal.reason, complete);
  if (!file.value)
    return refuse('structure', 'MISSING_REQUIRED_INPUT', `There is no ${handoffNames.bundle} in ${folder}.`, elsewhere);
  const text = ports.plans.parse(file.value.bytes);
  const error = text.findings.find(({ severity }) => severity === 'error');
  if (error) return refuse('structure', contractCode(error.code), `${handoffNames.bundle}: ${error.message}`, again);
  const verdict = validateHandoff({ value: text.value, shape: ports.handoffs.checkShape('handoff', text.value) });
  const known = verdict.code !== 'UNKNOWN_SCHEMA_VERSION';
  if (known) checks.pass('minimal_start', 1, `version ${String(valueAt(text.value, 'schema_version'))}`);
  // Overlapping locks fail an item of their own; the bundle stays valid.
  judgeLocks(text.value, ports, checks);
  if (!verdict.allow && verdict.code !== 'OK') {
    const [at, next] = known ? (['structure', again] as const) : (['version', 'Use a version that knows it.'] as const);
    return refuse(at, verdict.code, `${handoffNames.bundle}: ${verdict.reason}`, next);
  }
  const bundle = handoffSchema.parse(text.value);
  const given = bundle.x_mission;
  if (!given)
    return refuse(
      'structure',
      'MISSING_REQUIRED_INPUT',
      'x_mission is missing: no mission of this product can go on from it.',
      again,
    );
  if (!isMissionOf(given.mission_id, given.plan_id))
    return refuse(
      'structure',
      'SCHEMA_INVALID',
      `x_mission.mission_id is no mission of the plan ${given.plan_id}.`,
      again,
    );
  const files = await readFiles(folder, given, file.value, ports);
  if (!files.ok) return broken(files.refusal);
  const rows = readRows(bundle, files.value, ports);
  if (!rows.ok) return broken(rows.refusal);
  const handed = { bundle, given, bundle_sha256: file.value.sha256, files: files.value, rows: rows.value };
  const facts = readJournal(handed, ports);
  if (!facts.ok) return broken(facts.refusal);
  checks.pass(
    'minimal_start',
    0,
    `run ${bundle.run_id}, handoff ${given.handoff} of ${given.mission_id}, ${files.value.size + 1} files as handed over`,
  );
  checks.pass(
    'session_reset',
    1,
    `${handoffNames.bundle} is valid; ${files.value.size} files beside it have their digests`,
  );
  checks.pass('minimal_start', 3, blockers(bundle));
  return { ok: true, value: { ...handed, facts: facts.value } };
}

function judgeLocks(value: unknown, ports: EnginePorts, checks: HandoffChecks): void {
  const locks = valueAt(value, 'active_locks');
  if (!Array.isArray(locks)) return;
  const document = { active_locks: locks };
  const finding = lockFindings({ value: document, shape: ports.handoffs.checkShape('locks', document) }).find(
    ({ severity }) => severity === 'error',
  );
  if (finding) checks.fail('minimal_start', 2, contractCode(finding.code), finding.message);
  else
    checks.pass('minimal_start', 2, locks.length === 0 ? 'no lock is held' : `${locks.length} lock(s), none overlaps`);
}

async function readFiles(
  folder: string,
  given: MissionHandoff,
  bundle: HandoffFile,
  ports: EnginePorts,
): Promise<Judged<ReadonlyMap<string, HandoffFile>>> {
  const read = async (name: string): Promise<Judged<HandoffFile>> => {
    const file = await ports.handoffs.read(folder, name);
    if (!file.ok) return handoffRefused('UNTRUSTED_CONTEXT_BLOCK', file.refusal.reason, complete);
    return file.value
      ? { ok: true, value: file.value }
      : handoffRefused('MISSING_REQUIRED_INPUT', `${name} is not there.`, complete);
  };
  const listed = new Map(given.files.map(({ file, sha256 }) => [file, sha256]));
  const twice = twiceIn(given.files.map(({ file }) => file));
  if (twice !== null)
    return handoffRefused('SCHEMA_INVALID', `x_mission.files lists ${JSON.stringify(twice)} twice.`, again);
  const unlisted = requiredHandoffFiles.find((name) => !listed.has(name));
  if (unlisted !== undefined)
    return handoffRefused('MISSING_REQUIRED_INPUT', `x_mission.files does not list ${unlisted}.`, again);
  const sums = await read(handoffNames.sums);
  if (!sums.ok) return sums;
  const lines = ports.handoffs
    .textOf(sums.value.bytes)
    .split('\n')
    .flatMap((line): [string, string][] => {
      const [, sha256 = '', name = ''] = /^([0-9a-fA-F]{64}) [ *](.+)$/.exec(line) ?? [];
      return name === '' ? [] : [[name, sha256]];
    });
  const twiceSummed = twiceIn(lines.map(([name]) => name));
  if (twiceSummed !== null)
    return handoffRefused(
      'UNTRUSTED_CONTEXT_BLOCK',
      `${handoffNames.sums} lists ${JSON.stringify(twiceSummed)} twice.`,
      complete,
    );
  const summed = new Map(lines);
  const changed = (name: string): Judged<never> =>
    handoffRefused('UNTRUSTED_CONTEXT_BLOCK', `${name} is not what was handed over: its digest is another.`, complete);
  if (!same(summed.get(handoffNames.bundle), bundle.sha256)) return changed(handoffNames.bundle);
  const files = new Map<string, HandoffFile>();
  for (const [name, sha256] of listed) {
    const file = await read(name);
    if (!file.ok) return file;
    if (!same(sha256, file.value.sha256) || !same(summed.get(name), file.value.sha256)) return changed(name);
    const text = ports.handoffs.textOf(file.value.bytes);
    const [kind] = secretsIn(name === handoffNames.diff ? addedIn(text) : text);
    if (kind !== undefined)
      return handoffRefused('UNTRUSTED_CONTEXT_BLOCK', `${name} holds what looks like a secret (${kind}).`, again);
    files.set(name, file.value);
  }
  return same(files.get(handoffNames.lockedPlan)?.sha256, given.plan_sha256)
    ? { ok: true, value: files }
    : handoffRefused('LEDGER_INCONSISTENT', `${handoffNames.lockedPlan} is not the plan the bundle names.`, again);
}

/** Folds the journal once its chain holds, and judges what the fold says of the run. */
function readJournal(handed: Omit<ReadHandoff, 'facts'>, ports: EnginePorts): Judged<JournalFacts> {
  const entries = ports.handoffs.readJournal(handed.files.get(handoffNames.journal)?.bytes ?? new Uint8Array());
  if (!entries.ok) return entries;
  const folded = foldedOrNull(entries.value, handed);
  const facts = journalFactsSchema.safeParse(folded?.facts);
  if (facts.success && !folded?.problem) return { ok: true, value: facts.data };
  const at = facts.error?.issues[0]?.path.join('/') ?? '';
  const what = folded ? `its ${at} is not as the contract wants it` : 'no mission can be read from it';
  const reason = folded?.problem?.reason ?? `${handoffNames.journal} is no journal of a mission: ${what}.`;
  return handoffRefused('LEDGER_INCONSISTENT', reason, again);
}

/** Null: no mission made these entries, so the fold breaks at one of them. */
function foldedOrNull(...journal: Parameters<typeof foldedJournal>): ReturnType<typeof foldedJournal> | null {
  try {
    return foldedJournal(...journal);
  } catch {
    return null;
  }
}

function readRows(
  bundle: HandoffBundle,
  files: ReadonlyMap<string, HandoffFile>,
  ports: EnginePorts,
): Judged<ReadHandoff['rows']> {
  const rows: HandedRow[] = [];
  for (const { task_id, status } of bundle.ledger) {
    const name = `TASK_${task_id}.json`;
    const file = files.get(name);
    if (!file) {
      rows.push({ task_id, status, evidence: null, sha256: null });
      continue;
    }
    const evidence = taskEvidenceSchema.safeParse(ports.plans.parse(file.bytes).value);
    if (!evidence.success) {
      const at = evidence.error.issues[0]?.path.join('/') ?? '';
      const reason = `${name} is no task evidence${at === '' ? '' : `: what stands at /${at} is not as the contract wants it`}.`;
      return handoffRefused('SCHEMA_INVALID', reason, again);
    }
    rows.push({ task_id, status, evidence: evidence.data, sha256: file.sha256 });
  }
  return { ok: true, value: rows };
}

/** The first name that comes a second time; null: none does. */
function twiceIn(names: readonly string[]): string | null {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return null;
}

function blockers({ open_blockers }: HandoffBundle): string {
  if (open_blockers.length === 0) return 'none';
  return open_blockers.map(({ task_id, code, reason }) => `${task_id} (${code}): ${reason}`).join('; ');
}

function same(left: string | undefined, right: string): boolean {
  return left?.toUpperCase() === right.toUpperCase();
}

export interface ResumeRequest extends RunRequest {
  /** Absolute path of the handoff folder. */
  readonly folder: string;
  /** Null without a reason; then the run continues only if its owner gave it away. */
  readonly reason: string | null;
  /** Takes missing outputs from the handoff's diff. */
  readonly apply_diff: boolean;
  /** A host of a fleet resumes it and no person, so a person's pause or cancellation stands. Absent: a person does. */
  readonly by_host?: true;
}

/** The step that writes from the handoff what is missing here. */
export function applyDiffStep({ folder }: ResumeRequest): string {
  return decisionStep('handoff resume', commandLine([folder]).toString(), '--apply-diff');
}
