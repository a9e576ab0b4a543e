import { done, type Outcome, type Refusal } from '../../base/outcome';
import { whyUnusable, type InstructionsFile } from '../../core/plan/rules/instructions';
import type { ApprovalVerdict } from '../../core/plan/approvalRecord';
import type { ApprovedPlan } from '../../core/plan/approvedPlan';
import type { EnginePorts } from '../ports/engine';
import type { InstructionsFact } from '../ports/plans';

type ShownFile = Pick<InstructionsFile, 'path' | 'sha256' | 'bytes'>;

/** The files as Mission Control shows them to a person before an approval. */
export function shownInstructions(facts: readonly InstructionsFact[] = []): readonly ShownFile[] {
  return facts.flatMap((fact) => {
    if (fact.kind !== 'read') return [];
    const { path, sha256, bytes } = fact.file;
    return [{ path, sha256, bytes }];
  });
}

/** Returns what an approval records of the files, `PATH=SHA-256` each; undefined: the plan names no file. */
export function approvedInstructions(shown: readonly ShownFile[] = []): readonly string[] | undefined {
  return shown.length === 0 ? undefined : shown.map(lineOf);
}

/** Refuses a file that cannot be read, or that differs from what the person approved. */
export async function instructionsNow(
  { project_instructions: paths = [], tasks }: Pick<ApprovedPlan, 'project_instructions' | 'tasks'>,
  approval: ApprovalVerdict,
  next: string,
  ports: Pick<EnginePorts, 'plans' | 'paths'>,
): Promise<Outcome<readonly InstructionsFile[]>> {
  if (paths.length === 0 || tasks.every(({ worker }) => worker === 'command')) return done([]);
  const facts = await ports.plans.instructions(ports.paths.workspace_dir, paths);
  const files: InstructionsFile[] = [];
  for (const [index, path] of paths.entries()) {
    const fact = facts[index];
    const why = fact ? whyUnusable(fact) : 'it cannot be read here';
    if (fact?.kind !== 'read' || why !== null) {
      const reason = `${path} cannot be given to agents, because ${why ?? ''}.`;
      return { ok: false, refusal: { code: 'INSTRUCTIONS_CHANGED', reason, next: [next] } };
    }
    files.push(fact.file);
  }
  const refusal = refusalOfChangedInstructions(files, approval.counts ? approval.approved.instructions : null, next);
  return refusal ? { ok: false, refusal } : done(files);
}

/**
 * Refuses a file that differs from the one that the source of a handoff froze. It does so because
 * all agents of one run follow one text. An approval of this machine that names the present file
 * permits it.
 *
 * @param handed undefined: the source named no file
 */
export function refusalOfHandedInstructions(
  files: readonly InstructionsFile[],
  handed: readonly Pick<InstructionsFile, 'path' | 'sha256'>[] | undefined,
  approval: ApprovalVerdict,
  next: string,
): Refusal | null {
  if (handed === undefined || approval.counts) return null;
  const isHanded = ({ path, sha256 }: InstructionsFile): boolean =>
    handed.some((one) => one.path === path && one.sha256.toUpperCase() === sha256.toUpperCase());
  const changed = files.find((file) => !isHanded(file));
  if (changed === undefined) return null;
  const { path, sha256 } = changed;
  const before = handed.find((one) => one.path === path)?.sha256;
  const was = before === undefined ? 'the handoff names no such file' : `the handoff was written with ${before}`;
  const reason = `Agents would follow ${path} with SHA-256 ${sha256}, and ${was}.`;
  return { code: 'INSTRUCTIONS_CHANGED', reason, next: [`Put ${path} back as it was, then resume.`, next] };
}

/** @param approved what the approval recorded; null: no approval of this machine counts, so nothing is compared */
function refusalOfChangedInstructions(
  files: readonly InstructionsFile[],
  approved: readonly string[] | null | undefined,
  next: string,
): Refusal | null {
  if (approved === null) return null;
  const changed = files.find((file) => approved?.includes(lineOf(file)) !== true);
  if (changed === undefined) return null;
  const { path, sha256 } = changed;
  const before = approved?.find((line) => line.startsWith(`${path}=`))?.slice(path.length + 1);
  const was = before === undefined ? 'the approval names no such file' : `the approval was given for ${before}`;
  const reason = `Agents would follow ${path} with SHA-256 ${sha256}, and ${was}.`;
  return { code: 'INSTRUCTIONS_CHANGED', reason, next: [next] };
}

function lineOf({ path, sha256 }: Pick<InstructionsFile, 'path' | 'sha256'>): string {
  return `${path}=${sha256}`;
}
