import { placeInWorkspace } from '../../adapters/files/place';
import { readRegularFile } from '../../adapters/files/regular';
import { journalSecrets } from '../../adapters/journal/redacted';
import { redactText } from '../../adapters/system/redact';
import { page } from '../../base/text/page';
import type { OpenTarget } from '../../contracts/panelMessages';
import { evidenceNames } from '../../contracts/vocabulary/evidenceFiles';
import { missionView } from '../../core/view/missionView';
import type { PanelItem } from '../../engine/views/panelView';

/** More than that is for an editor. */
const longest = 4 << 20;

/**
 * Reads the file that the page names by an id of the last snapshot. Returns it as text without
 * secrets in which every character shows; null: no such file. A file that a worker changed is not
 * shown, because its path is the worker's choice.
 */
export async function shownText(workspace: string, item: PanelItem, target: OpenTarget): Promise<string | null> {
  for (const file of filesOf(item, target)) {
    const place = await placeInWorkspace(workspace, file);
    if (place.kind !== 'path') continue;
    const read = await readRegularFile(place.absolute, longest, { follow: false });
    if (!read.ok) continue;
    const { text } = redactText(Buffer.from(read.bytes).toString(), journalSecrets(process.env));
    return page.lines(text.split(/\r?\n/).map((line) => page`${line}`)).toString();
  }
  return null;
}

/** Relative to the workspace; the first one that is there counts. */
function filesOf({ of }: PanelItem, target: OpenTarget): readonly string[] {
  switch (target.kind) {
    case 'plan':
      return of.kind === 'mission' ? [of.read.mission.plan_path] : of.kind === 'draft' ? [of.draft.path] : [];
    case 'evidence': {
      if (of.kind !== 'mission' && of.kind !== 'evidence_only') return [];
      const dir = of.kind === 'mission' ? viewOf(of).evidence_dir : of.evidence.dir;
      const known = of.kind === 'mission' && of.read.mission.rows.some(({ task }) => task.task_id === target.task_id);
      const own = known && target.task_id !== undefined ? [`${dir}/TASK_${target.task_id}.json`] : [];
      return [...own, `${dir}/${evidenceNames.summary}`, `${dir}/${evidenceNames.header}`];
    }
    case 'packet': {
      const block = of.kind === 'mission' && viewOf(of).blocks.find(({ packet_id }) => packet_id === target.packet_id);
      if (!block || block.packet_path === null) return [];
      return [block.packet_path.replace(/\.json$/, '.md'), block.packet_path];
    }
    // Contents that workers chose are not served: `mission diff` shows files, and `mission status` names the output.
    case 'diff':
    case 'output':
    case 'terminal':
    case 'file':
      return [];
  }
}

function viewOf({ read }: Extract<PanelItem['of'], { readonly kind: 'mission' }>): ReturnType<typeof missionView> {
  return missionView(read.mission, [], new Map(), false);
}
