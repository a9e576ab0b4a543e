import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { missionsOnDisk } from '../../adapters/evidence/missionsOnDisk';
import { namesInWorkspace } from '../../adapters/files/place';
import { planFiles } from '../../adapters/documents/planFiles';
import { projectFile } from '../../contracts/vocabulary/aiProject';
import { repositoryPolicyPath } from '../../contracts/vocabulary/models';
import { editorFindings } from '../../core/view/plan/editorFindings';
import { shownDraft } from '../../core/view/plan/planFile';
import { shownEvidence } from '../../core/view/evidence/shownEvidence';
import { checkPlan } from '../../engine/plans/check';
import type { FolderFiles } from '../../engine/views/panelOfFolder';

type Plan = FolderFiles['plans'][number];

/** Plans that are listed at most. */
const mostPlans = 500;
const plansDir = 'docs/plans';

/** What the findings of every plan depend on, in addition to its own bytes. */
const besidePlans = [projectFile, repositoryPolicyPath] as const;

/** The plans and the evidence of a workspace; each file is read again when it, or what it is judged by, changed. */
export class FilesOfFolder {
  readonly #plans = new Map<string, { readonly key: string; readonly plan: Plan }>();

  constructor(private readonly workspace: string) {}

  /** @param isKnown by plan: its evidence is that of a mission that the journal knows, and is not read */
  async read(isKnown: (planId: string) => boolean): Promise<FolderFiles & { readonly hasAllPlans: boolean }> {
    const names = await namesInWorkspace(this.workspace, plansDir);
    const plans = names.filter((name) => /^PLAN_.*\.json$/.test(name));
    return {
      hasAllPlans: plans.length <= mostPlans,
      plans: await this.#each(plans.slice(0, mostPlans)),
      evidence: (await missionsOnDisk(this.workspace, isKnown)).listed.map(shownEvidence),
    };
  }

  async #each(names: readonly string[]): Promise<readonly Plan[]> {
    const beside = (await Promise.all(besidePlans.map((file) => this.#versionOf(file)))).join();
    const found: Plan[] = [];
    const gone = new Set(this.#plans.keys());
    for (const name of names) {
      const file = `${plansDir}/${name}`;
      const stats = await this.#statOf(file);
      if (stats?.isFile() !== true) continue;
      gone.delete(file);
      const key = `${versionOf(stats)} ${beside}`;
      const before = this.#plans.get(file);
      const plan = before?.key === key ? before.plan : await this.#plan(file, stats.mtime.toISOString());
      this.#plans.set(file, { key, plan });
      found.push(plan);
    }
    for (const file of gone) this.#plans.delete(file);
    return found;
  }

  async #versionOf(file: string): Promise<string> {
    const stats = await this.#statOf(file);
    return stats ? versionOf(stats) : 'absent';
  }

  #statOf(file: string): Promise<Stats | null> {
    return stat(path.join(this.workspace, ...file.split('/'))).catch(() => null);
  }

  async #plan(file: string, at: string): Promise<Plan> {
    const absolute = path.join(this.workspace, ...file.split('/'));
    const options = { looksAtProject: true, workspaceDir: this.workspace };
    const { text, findings } = await checkPlan(planFiles, absolute, options);
    return {
      sha256: text.sha256,
      draft: { ...shownDraft(text.value, file, editorFindings(text.value, findings)), at },
    };
  }
}

function versionOf({ mtimeMs, size, ino }: Stats): string {
  return `${mtimeMs} ${size} ${ino}`;
}
