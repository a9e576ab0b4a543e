import { commands as vscodeCommands, type Memento } from 'vscode';
import { evidenceIgnoredBy } from '../../adapters/git/evidence';
import { ignoredReason, ignoredStep } from '../../base/text/ignoredEvidence';
import { ui, type UiText } from '../../base/text/marked/ui';
import { commands, type Contribution } from '../registry/registry';
import {
  type MissionFolder,
  type MissionFolders,
  followViews,
  missionsOf,
  type MissionHere,
} from '../folder/missionFolders';
import { News, type Notified, type Transition } from './transitions';
import { alarm, inform, warn } from '../window/ui';

/** One window of all shows a notification, whichever process runs the mission. */
export class MissionNotifications implements Contribution {
  readonly #news = new Map<string, { readonly news: News; readonly notified: Notified }>();
  readonly #following: Contribution;

  constructor(
    folders: MissionFolders,
    private readonly memory: Pick<Memento, 'get' | 'update'>,
    private readonly ignoredBy: typeof evidenceIgnoredBy = evidenceIgnoredBy,
  ) {
    this.#following = followViews(folders, (folder) => {
      if (folder?.view) void this.#look(folder, missionsOf(folder, folders.all));
    });
  }

  dispose(): void {
    this.#following.dispose();
  }

  async #look(folder: MissionFolder, missions: readonly MissionHere[]): Promise<void> {
    const key = `told ${folder.folder.uri.toString()}`;
    const { news, notified } = this.#newsOf(key);
    const before = JSON.stringify(stored(notified));
    const found = news.of(missions);
    const after = stored(notified);
    if (JSON.stringify(after) !== before) await this.memory.update(key, after);
    await Promise.all(
      found.map(async (transition) => {
        if (!(await folder.notifyOnce(transition.missionId, transition.key))) return;
        void tell(transition, folder);
        const mission = missions.find(({ mission_id }) => mission_id === transition.missionId);
        if (mission?.ending) await this.#tellIgnored(folder, mission);
      }),
    );
  }

  /**
   * Shows the rule by which git ignores the evidence, and the step; nothing where git keeps it. It follows the end of
   * the mission, because git may need up to a minute for its answer.
   */
  async #tellIgnored({ folder }: MissionFolder, { plan_id, evidence_dir }: MissionHere): Promise<void> {
    const by = await this.ignoredBy(folder.uri.fsPath, plan_id).catch(() => null);
    if (by !== null) void warn(ui`${ignoredReason(evidence_dir, by)} ${ignoredStep(evidence_dir)}`);
  }

  #newsOf(key: string): { readonly news: News; readonly notified: Notified } {
    let entry = this.#news.get(key);
    if (!entry) {
      const notified = notifiedOf(this.memory.get<unknown>(key));
      entry = { news: new News(notified), notified };
      this.#news.set(key, entry);
    }
    return entry;
  }
}

const kept = 500;
/** The key that marks a mission as known although a person was notified of nothing yet. */
const open = 'open';

/** Pairs of mission and keys, the newest missions last. */
function stored(notified: Notified): readonly (readonly [string, string])[] {
  const pairs = [...notified].flatMap(([mission, keys]) =>
    (keys.size === 0 ? [open] : [...keys]).map((key) => [mission, key] as const),
  );
  return pairs.slice(-kept);
}

function notifiedOf(pairs: unknown): Notified {
  const notified: Notified = new Map();
  for (const [mission, key] of Array.isArray(pairs) ? pairs.filter(isPair) : []) {
    const keys = notified.get(mission) ?? new Set();
    notified.set(mission, key === open ? keys : keys.add(key));
  }
  return notified;
}

async function tell(transition: Transition, { folder }: MissionFolder): Promise<void> {
  const argument = { folder: folder.uri.toString(), missionId: transition.missionId };
  const offered = offers[transition.kind];
  const titles = offered.map(({ title }) => title);
  const chosen = await showAs(transition.kind)(transition.text, ...titles);
  const command = offered.find(({ title }) => title === chosen);
  if (command) await vscodeCommands.executeCommand(command.id, argument);
}

/** Short titles, because VS Code cuts buttons if three need more than the width of a toast. */
const openPacket = { id: commands.openRecoveryPacket.id, title: 'Open Packet' } as const;
const showMission = { id: commands.showMissionControl.id, title: 'Show Mission' } as const;

const blocked = [commands.resolveBlocker, commands.retryTask, commands.openRecoveryPacket] as const;
const offers = {
  ...{ blocked, paused: blocked },
  denied: [
    { id: commands.openRecoveryPacket.id, title: 'Open' },
    commands.grantAndResume,
    { id: commands.cancelMission.id, title: 'Abort' },
  ],
  unaccepted: [commands.reviewChanges, commands.acceptChange, showMission],
  asking: [commands.answerQuestion, openPacket, commands.showMissionControl],
  incomplete: [commands.completeIntervention, commands.showMissionControl],
  memory: [commands.confirmMemory, commands.showMissionControl],
  halted: [commands.showMissionControl, commands.resume, commands.cancelMission],
  failed: [commands.reviewChanges, commands.acknowledge, commands.showMissionControl],
  cancelled: [commands.openEvidence],
  completed: [commands.reviewChanges, commands.openEvidence],
} as const satisfies Readonly<Record<Transition['kind'], readonly { readonly id: string; readonly title: string }[]>>;

type Title = (typeof offers)[Transition['kind']][number]['title'];

function showAs(kind: Transition['kind']): (text: UiText, ...titles: Title[]) => Thenable<Title | undefined> {
  if (kind === 'cancelled' || kind === 'completed') return inform;
  return kind === 'denied' || kind === 'halted' || kind === 'failed' ? alarm : warn;
}

function isPair(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((item) => typeof item === 'string');
}
