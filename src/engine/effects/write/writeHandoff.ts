import {
  handoffNames,
  maxDiffBytes,
  maxHandoffFileBytes,
  type HandoffRole,
} from '../../../contracts/vocabulary/handoff';
import { documentText } from '../../../base/json';
import { taskEvidencePath } from '../../../core/evidence/places';
import { contractsMarkdown, errorCodesMarkdown } from '../../../core/freshContext/docs';
import { validateHandoff } from '../../../core/freshContext/handoff';
import { handoffBundle, isUntouched, observedChanges } from '../../../core/handoff/bundle';
import { rolePrompt } from '../../../core/freshContext/roles';
import { addedIn, secretsIn } from '../../../core/documents/secrets';
import { taskEvidence } from '../../../core/mission/evidence/taskEvidence';
import { isPutBack } from '../../../core/mission/evidence/outputs';
import type { Report } from '../../../core/model/inputs';
import { currentLaunch } from '../../../core/model/attempt';
import type { Tasks, Progress, ReceivedPlan } from '../../../core/model/state';
import { recordOf } from '../../../base/fileState';
import type { EnginePorts } from '../../ports/engine';
import type { Patch } from '../../ports/handoff';
import { lockedBytes } from '../launch/planHash';
import { clearWay, put as putFile, written } from './written';
import type { EffectRun } from '../run/effectRun';

interface Part {
  readonly file: string;
  /** The handoff searches the text for secrets; bytes, where present, are written instead. */
  readonly text: string;
  readonly bytes?: Uint8Array;
}

/** `handoff/<n>/`, each file with its digest. What looks like a secret refuses it; the mission continues. */
export async function writeHandoff(run: EffectRun<'writeHandoff'>): Promise<Report> {
  const { effect, mission, ports } = run;
  const handoff = mission.handoffs.find(({ n }) => n === effect.n);
  if (!handoff) throw new Error(`No handoff ${effect.n}.`);
  const refuse = (code: string, file: string | null, reason: string): Report => ({
    type: 'HandoffWasRefused',
    n: handoff.n,
    code,
    file,
    reason,
  });
  const role: HandoffRole = 'orchestrator';
  const base_commit = await ports.workspace.head();
  const every = observedChanges(mission.rows);
  const found = await ports.handoffs.found(every.map(({ path }) => path));
  const isBack = (one: (typeof every)[number]): boolean => isPutBack(one, found.get(one.path));
  const observed = every.filter((one) => !isBack(one));
  const paths = observed.map(({ path }) => path);
  const patch = await safePatch(base_commit, paths, ports);
  const evidence = await taskParts(mission, ports);
  if ('changed' in evidence)
    return refuse('LEDGER_INCONSISTENT', evidence.changed, 'The file is no longer what was written there.');
  const entries = (await ports.journal.read(mission.mission_id)).filter(({ seq }) => seq <= mission.last_seq);
  const journal = ports.handoffs.journalBytes(entries);
  const parts: Part[] = [
    { file: handoffNames.contracts, text: contractsMarkdown(ports.handoffs.documents).toString() },
    { file: handoffNames.errorCodes, text: errorCodesMarkdown().toString() },
    { file: handoffNames.role, text: rolePrompt(role) },
    await lockedPlan(mission, ports),
    ...evidence,
    ...(patch.bytes ? [{ file: handoffNames.diff, text: ports.handoffs.textOf(patch.bytes), bytes: patch.bytes }] : []),
    { file: handoffNames.journal, text: ports.handoffs.textOf(journal), bytes: journal },
  ];
  if (journal.length > maxHandoffFileBytes)
    return refuse(
      'EVIDENCE_UNWRITABLE',
      handoffNames.journal,
      'The journal is larger than a file of a handoff, 64 MB.',
    );
  const secret = secretIn(parts, ports);
  if (secret) return refuse('UNTRUSTED_CONTEXT_BLOCK', secret.file, secret.reason);
  const folder = ports.paths.missionFile(mission.mission_id, `handoff/${handoff.n}`);
  for (const name of [handoffNames.bundle, handoffNames.sums]) await clearWay(`${folder}/${name}`, run);
  // Removes a bundle that a killed owner left, because it describes other files.
  written(await ports.handoffs.discard(ports.paths.absolute(folder)));
  const files: { file: string; bytes: number; sha256: string }[] = [];
  for (const { file, text, bytes } of parts) {
    const put = await putFile(`${folder}/${file}`, bytes ?? text, run);
    if (put.redactions > 0)
      return refuse('UNTRUSTED_CONTEXT_BLOCK', file, `It holds what looks like a secret (${put.redactions} found).`);
    const back = written(await ports.handoffs.read(ports.paths.absolute(folder), file));
    files.push({ file, bytes: back?.bytes.length ?? 0, sha256: put.sha256 });
  }
  const heartbeats = await heartbeatsOf(mission, ports);
  const bundle = handoffBundle(mission, entries, handoff, {
    at: ports.clock.now(),
    role,
    base_commit,
    heartbeats,
    files,
    changes: observed.map(({ task_id, path, before }) => {
      const why = patch.omitted.find((omitted) => omitted.path === path)?.why ?? null;
      const before_sha256 = before.kind === 'file' ? before.sha256 : null;
      const now = recordOf(found.get(path) ?? { kind: 'nothing' });
      return { task_id, path, before_sha256, ...now, in_diff: why === null, why };
    }),
  });
  const verdict = validateHandoff({ value: bundle, shape: ports.handoffs.checkShape('handoff', bundle) });
  if (!verdict.allow) return refuse(verdict.code, handoffNames.bundle, verdict.reason);
  const text = documentText(bundle);
  const inBundle = secretIn([{ file: handoffNames.bundle, text }], ports);
  if (inBundle) return refuse('UNTRUSTED_CONTEXT_BLOCK', inBundle.file, inBundle.reason);
  const put = await putFile(`${folder}/${handoffNames.bundle}`, text, run);
  if (put.redactions > 0) {
    const step = `It holds what looks like a secret (${put.redactions} found).`;
    return refuse('UNTRUSTED_CONTEXT_BLOCK', handoffNames.bundle, step);
  }
  const sums = [...files, { file: handoffNames.bundle, sha256: put.sha256 }]
    .map(({ file, sha256 }) => `${sha256.toLowerCase()}  ${file}\n`)
    .join('');
  await putFile(`${folder}/${handoffNames.sums}`, sums, run);
  return { type: 'HandoffWasWritten', n: handoff.n, path: folder, sha256: put.sha256, heartbeats };
}

async function lockedPlan(mission: ReceivedPlan, ports: EnginePorts): Promise<Part> {
  const bytes = await lockedBytes(mission, ports);
  return { file: handoffNames.lockedPlan, text: ports.handoffs.textOf(bytes), bytes };
}

/** The evidence of each task of which there is something to say: as it was written, or as it would be written now. */
async function taskParts(
  mission: Progress,
  ports: EnginePorts,
): Promise<readonly Part[] | { readonly changed: string }> {
  const parts: Part[] = [];
  for (const row of mission.rows) {
    const { task_id } = row.task;
    const file = `TASK_${task_id}.json`;
    if (row.evidence) {
      const path = taskEvidencePath(mission.plan.plan_id, task_id);
      const kept = written(await ports.evidence.read(path));
      if (kept?.sha256 !== row.evidence.sha256) return { changed: path };
      parts.push({ file, text: kept.text });
    } else if (!isUntouched(row)) {
      parts.push({ file, text: documentText(taskEvidence(mission, row, ports.paths.places)) });
    }
  }
  return parts;
}

/** Reads the run directories of live launches; the values are journalled with the handoff. */
async function heartbeatsOf(mission: Tasks, ports: EnginePorts): Promise<Readonly<Record<string, string>>> {
  const heartbeats: Record<string, string> = {};
  for (const lane of mission.lanes) {
    const launch = currentLaunch(lane);
    const runDir = launch && ports.paths.runDir(mission.mission_id, launch.run_dir);
    const beat = runDir === undefined ? null : await ports.launches.heartbeat(runDir);
    if (beat) heartbeats[lane.task_id] = beat.last_progress_at;
  }
  return heartbeats;
}

const mendPlan =
  'a locked plan stays as it is. Replace the key where it is valid, and go on by a revision of the plan without it.';

/**
 * The changes as one patch. What only looks like a secret in a file that git ignores or that is no text is left out:
 * tools write such files, and no person can mend them.
 */
async function safePatch(base_commit: string | null, paths: readonly string[], ports: EnginePorts): Promise<Patch> {
  const patchOf = async (some: readonly string[]): Promise<Patch> =>
    base_commit === null || some.length === 0
      ? { bytes: null, covered: [], omitted: some.map((path) => ({ path, why: 'there is no commit to compare with' })) }
      : ports.handoffs.patch({ base_commit, paths: some, max_bytes: maxDiffBytes });
  const patch = await patchOf(paths);
  const suspect = secretChanges(patch.bytes ? ports.handoffs.textOf(patch.bytes) : '', ports);
  if (suspect.length === 0) return patch;
  const asked = suspect.map(({ path }) => path ?? '');
  const ignored = await ports.plans.ignored(ports.paths.workspace_dir, asked);
  const left = new Map(
    suspect.flatMap(({ path, kind, isText }, index): [string, string][] => {
      const because = ignored[index] === true ? 'git ignores it' : isText ? null : 'it is no text';
      if (path === undefined || because === null) return [];
      return [[path, `it holds what looks like a secret (${kind}), and ${because}`]];
    }),
  );
  if (left.size === 0) return patch;
  const rest = await patchOf(paths.filter((path) => !left.has(path)));
  return { ...rest, omitted: [...rest.omitted, ...Array.from(left, ([path, why]) => ({ path, why }))] };
}

interface SecretChange {
  /** Undefined: git quotes the name. */
  readonly path: string | undefined;
  readonly kind: string;
  readonly isText: boolean;
}

/** The changed files of a diff that seem to add a secret. */
function secretChanges(diff: string, ports: EnginePorts): readonly SecretChange[] {
  return diff.split(/^(?=diff --git )/m).flatMap((section) => {
    const [kind] = ports.secretsIn(addedIn(section));
    if (kind === undefined) return [];
    return [{ path: /^diff --git [ab]\/(.+) [ab]\/\1$/m.exec(section)?.[1], kind, isText: !section.includes('\0') }];
  });
}

/** The first file that seems to hold a secret; for the diff, the changed file. Other parts hold stored texts. */
function secretIn(
  parts: readonly Part[],
  ports: EnginePorts,
): { readonly file: string; readonly reason: string } | null {
  for (const { file, text } of parts) {
    const isDiff = file === handoffNames.diff;
    const [found] = isDiff ? secretChanges(text, ports) : secretsIn(text).map((kind) => ({ kind, path: undefined }));
    if (found === undefined) continue;
    const { kind, path: changed } = found;
    const where = changed === undefined ? '' : ` in the change of ${changed}`;
    return {
      file: changed ?? file,
      reason: `${file} holds what looks like a secret (${kind})${where}; ${file === handoffNames.lockedPlan ? mendPlan : `take it out and export again.${isDiff && kind === kind.toUpperCase() ? ' A value that the plan itself names is no secret.' : ''}`}`,
    };
  }
  return null;
}
