import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { placeInWorkspace } from '../../adapters/files/place';
import { readRegularFile } from '../../adapters/files/regular';
import { planFiles } from '../../adapters/documents/planFiles';
import { parsedJson } from '../../base/json';
import { projectFile } from '../../contracts/vocabulary/aiProject';
import { evidenceNames, executionsDir } from '../../contracts/vocabulary/evidenceFiles';
import { repositoryPolicyPath } from '../../contracts/vocabulary/models';
import { editorFindings } from '../../core/view/editorFindings';
import { shownDraft } from '../../core/view/shownDraft';
import { shownEvidence } from '../../core/view/shownEvidence';
import { checkPlan } from '../../engine/plans/check';
import type { FolderFiles } from '../../engine/views/panelOfFolder';

type Plan = FolderFiles['plans'][number];
type Evidence = FolderFiles['evidence'][number];

/** A larger plan is listed by its name alone; a repository may hold the evidence of years. */
const limits = { bytes: 1 << 20, plans: 500, evidence: 200 } as const;
const plansDir = 'docs/plans';

/** What the findings of every plan depend on, in addition to its own bytes. */
const besidePlans = [projectFile, repositoryPolicyPath] as const;

/** The plans and the evidence of a workspace; each file is read again when it, or what it is judged by, changed. */
export class FilesOfFolder {
  readonly #plans = new Map<string, Known<Plan>>();
  readonly #evidence = new Map<string, Known<Evidence>>();

  constructor(private readonly workspace: string) {}

  async read(): Promise<FolderFiles & { readonly hasAllPlans: boolean }> {
    const plans = await this.#listed(plansDir, /^PLAN_.*\.json$/);
    const folders = await this.#listed(executionsDir, /^[^.]/);
    const headers = folders.map((name) => `${name}/${evidenceNames.header}`);
    return {
      hasAllPlans: plans.length <= limits.plans,
      plans: await this.#each(plansDir, plans.slice(0, limits.plans), {
        known: this.#plans,
        beside: (await Promise.all(besidePlans.map((file) => this.#versionOf(file)))).join(),
        read: (file, at) => this.#plan(file, at),
      }),
      evidence: (
        await this.#each(executionsDir, headers, {
          known: this.#evidence,
          beside: '',
          read: (file, at) => this.#header(file, at),
        })
      )
        .toSorted((left, right) => ((left.at ?? '') < (right.at ?? '') ? 1 : -1))
        .slice(0, limits.evidence),
    };
  }

  /** Names in a folder of the workspace; none where it is not there or leads elsewhere. */
  async #listed(folder: string, wanted: RegExp): Promise<readonly string[]> {
    const place = await placeInWorkspace(this.workspace, folder).catch(() => null);
    if (place?.kind !== 'path') return [];
    const names = await readdir(place.absolute).catch(() => []);
    return names.filter((name) => wanted.test(name)).sort();
  }

  async #each<T>(folder: string, names: readonly string[], { known, beside, read }: Reading<T>): Promise<readonly T[]> {
    const found: T[] = [];
    const gone = new Set(known.keys());
    for (const name of names) {
      const file = `${folder}/${name}`;
      const stats = await this.#statOf(file);
      if (stats?.isFile() !== true) continue;
      gone.delete(file);
      const key = `${versionOf(stats)} ${beside}`;
      const before = known.get(file);
      const value = before?.key === key ? before.value : await read(file, stats.mtime.toISOString());
      known.set(file, { key, value });
      if (value !== null) found.push(value);
    }
    for (const file of gone) known.delete(file);
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
    const small = await readRegularFile(absolute, limits.bytes);
    if (!small.ok) return { sha256: null, draft: { ...shownDraft(undefined, file, []), at } };
    const options = { looksAtProject: true, workspaceDir: this.workspace };
    const { text, findings } = await checkPlan(planFiles, absolute, options);
    return {
      sha256: text.sha256,
      draft: { ...shownDraft(text.value, file, editorFindings(text.value, findings)), at },
    };
  }

  async #header(file: string, at: string): Promise<Evidence | null> {
    const place = await placeInWorkspace(this.workspace, file).catch(() => null);
    if (place?.kind !== 'path') return null;
    const read = await readRegularFile(place.absolute, limits.bytes, { follow: false });
    const name = path.posix.basename(path.posix.dirname(file));
    return { ...shownEvidence(name, read.ok ? parsedJson(Buffer.from(read.bytes).toString()) : null), at };
  }
}

function versionOf({ mtimeMs, size, ino }: Stats): string {
  return `${mtimeMs} ${size} ${ino}`;
}

interface Reading<T> {
  readonly known: Map<string, Known<T>>;
  /** What else the value follows from. */
  readonly beside: string;
  readonly read: (file: string, at: string) => Promise<T | null>;
}

interface Known<T> {
  readonly key: string;
  readonly value: T | null;
}
