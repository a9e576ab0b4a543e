import { menuSections, planWords } from '../../contracts/page/menuKeys';
import type { MissionView } from '../../contracts/page/missionView';
import type { ShownDraft } from '../../contracts/page/panelView';
import { limited } from '../../base/text/oneLine';
import { missionWord } from '../../base/text/words';
import { ui } from '../../base/text/marked/ui';
import { changedSinceMission, newestMission } from '../editor/planLines';
import { noRows, rowIcons, type Row, type RowIcon } from './row';

/** A plan file of a folder, with the missions of that folder. */
export interface PlanEntry {
  /** URI of the folder. */
  readonly folder: string;
  /** The folder's name, if the window has several. */
  readonly workspace: string | null;
  readonly draft: ShownDraft;
  /** Digest of the file now; null: unknown. */
  readonly sha256: string | null;
  readonly missions: readonly MissionView[];
}

/** Every plan file with its state, by path. */
export function planRows(plans: readonly PlanEntry[]): readonly Row[] {
  const key = ({ folder, draft }: PlanEntry): string => `${folder} ${draft.path}`;
  return [...plans].sort((left, right) => (key(left) < key(right) ? -1 : 1)).map(planRow);
}

function planRow(plan: PlanEntry): Row {
  const { draft, folder, workspace } = plan;
  const { word, icon, takes } = stateOf(plan);
  const found = findingsText(draft);
  const state = ui`${word}${found === '' ? '' : ` · ${found}`}`;
  return {
    id: `plan ${folder} ${draft.path}`,
    label: ui`${draft.plan_id}`,
    description: workspace === null ? state : ui`${state} · ${workspace}`,
    tooltip: [
      ui`${draft.path}`,
      state,
      ...(draft.goal === '' ? [] : [ui`${limited(draft.goal, 300)}`]),
      ui`${draft.tasks.length} task${draft.tasks.length === 1 ? '' : 's'}`,
      ...draft.findings
        .filter(({ severity }) => severity !== 'info')
        .slice(0, 3)
        .map(({ code, message }) => ui`${code}: ${limited(message, 200)}`),
    ],
    icon,
    folded: 'leaf',
    menu: `${menuSections.plan};${takes.map((name) => planWords[name]).join(';')};`,
    target: { kind: 'plan', folder, path: draft.path },
    does: 'openPlan',
    rows: noRows,
  };
}

interface PlanStanding {
  readonly word: string;
  readonly icon: RowIcon;
  readonly takes: readonly (keyof typeof planWords)[];
}

/** Returns the state of the present file. No start takes an approved file whose mission locked other bytes. */
function stateOf({ draft, sha256, missions }: PlanEntry): PlanStanding {
  const mission = newestMission(missions, draft.path);
  const same = mission !== null && mission.plan_sha256.toUpperCase() === sha256?.toUpperCase();
  if (mission !== null && mission.ending === null) {
    const word = `locked by mission, ${missionWord(mission)}${same ? '' : '; the file has changed'}`;
    return { word, icon: rowIcons.locked, takes: [] };
  }
  if (draft.findings.some(({ severity }) => severity === 'error'))
    return { word: draft.status === 'APPROVED' ? 'approved' : 'draft', icon: rowIcons.failed, takes: [] };
  if (mission !== null && same && mission.superseded_by !== undefined)
    return { word: `superseded by ${mission.superseded_by}`, icon: rowIcons.ended, takes: [] };
  if (mission !== null && same)
    return mission.status === 'completed'
      ? { word: 'done', icon: rowIcons.done, takes: ['run'] }
      : { word: missionWord(mission), icon: rowIcons.ended, takes: ['run'] };
  if (mission !== null && sha256 !== null && draft.status === 'APPROVED')
    return { word: changedSinceMission, icon: rowIcons.unreadable, takes: [] };
  return draft.status === 'APPROVED'
    ? { word: 'approved', icon: rowIcons.approved, takes: ['run'] }
    : // Run Plan shows it with Approve and Run.
      { word: 'draft', icon: rowIcons.draft, takes: ['approve', 'run'] };
}

/** `2 errors, 1 warning`; leaves out infos, because they need no mending. */
function findingsText({ findings }: ShownDraft): string {
  const counted = (severity: string, name: string): readonly string[] => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [`${count} ${name}${count === 1 ? '' : 's'}`];
  };
  return [...counted('error', 'error'), ...counted('warning', 'warning')].join(', ');
}
