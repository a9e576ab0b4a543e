import { stat } from 'node:fs/promises';
import { parsedJson } from '../../base/json';
import { evidenceNames, executionsDir } from '../../contracts/vocabulary/files/evidenceFiles';
import type { FoundOnDisk } from '../../core/view/evidence/shownEvidence';
import { namesInWorkspace, placeInWorkspace, readWorkspaceFile } from '../files/place';
import { stateFolderName } from '../state/folder';

export interface MissionsOnDisk {
  /** The last written first. */
  readonly listed: readonly FoundOnDisk[];
  /** Those that are not read, because there are too many. */
  readonly others: readonly Pick<FoundOnDisk, 'plan_id'>[];
}

/** A repository may hold the evidence of years. In a clone all have the time of the checkout. */
const limits = { bytes: 1 << 20, listed: 200, packets: 50, tasks: 100 } as const;
const taskFile = /^TASK_(.+)\.json$/;
const missionsDir = `${stateFolderName}/missions`;

/** Reads what lies on the disk of missions, by their plans: evidence, packets, handoffs. Never rejects. */
export async function missionsOnDisk(
  workspace: string,
  isKnown: (planId: string) => boolean = () => false,
): Promise<MissionsOnDisk> {
  const missions = new Map<string, string[]>();
  for (const mission of await names(workspace, missionsDir)) {
    const [, plan] = /^(.+)-\d{8}T\d{6}Z-[0-9a-z]{6}$/.exec(mission) ?? [];
    if (plan !== undefined) missions.set(plan, [...(missions.get(plan) ?? []), mission]);
  }
  const folders = await names(workspace, executionsDir);
  const plans = [...new Set([...folders, ...missions.keys()])].filter((plan) => !isKnown(plan));
  const found = await Promise.all(
    plans.map(async (plan) => ({ plan, at: await writtenAt(workspace, plan, missions.get(plan) ?? []) })),
  );
  const newest = found
    .flatMap(({ plan, at }) => (at === null ? [] : { plan, at }))
    .sort((left, right) => right.at - left.at);
  return {
    listed: await Promise.all(
      newest.slice(0, limits.listed).map(async ({ plan, at }) => ({
        ...(await missionOf(workspace, plan, missions.get(plan) ?? [])),
        at: new Date(at).toISOString(),
      })),
    ),
    others: newest.slice(limits.listed).map(({ plan }) => ({ plan_id: plan })),
  };
}

/** Reads the header of a plan's evidence and what it says of tasks. Never rejects. */
export async function evidenceDocuments(workspace: string, plan: string): Promise<readonly unknown[]> {
  const dir = `${executionsDir}/${plan}`;
  const tasks = (await names(workspace, dir)).filter((name) => taskFile.test(name)).slice(0, limits.tasks);
  return Promise.all([evidenceNames.header, ...tasks].map((name) => json(workspace, `${dir}/${name}`)));
}

async function missionOf(
  workspace: string,
  plan: string,
  missions: readonly string[],
): Promise<Omit<FoundOnDisk, 'at'>> {
  const dir = `${executionsDir}/${plan}`;
  const newest = missions.toSorted().at(-1);
  const handoffs = newest === undefined ? [] : await names(workspace, `${missionsDir}/${newest}/handoff`);
  const handoff = handoffs
    .map(Number)
    .filter(Number.isInteger)
    .sort((left, right) => left - right)
    .at(-1);
  return {
    plan_id: plan,
    header: await json(workspace, `${dir}/${evidenceNames.header}`),
    tasks: (await names(workspace, dir)).flatMap((name) => taskFile.exec(name)?.[1] ?? []),
    packets: newest === undefined ? [] : await packetsOf(workspace, `${missionsDir}/${newest}/recovery-packets`),
    handoff: handoff === undefined ? null : `${missionsDir}/${newest ?? ''}/handoff/${handoff}`,
  };
}

async function packetsOf(workspace: string, folder: string): Promise<FoundOnDisk['packets']> {
  const files = (await names(workspace, folder)).filter((name) => name.endsWith('.json')).slice(-limits.packets);
  return Promise.all(
    files.map(async (name) => ({ path: `${folder}/${name}`, document: await json(workspace, `${folder}/${name}`) })),
  );
}

/** The time of its header, or of its newest mission folder, in milliseconds; null: neither is there. */
async function writtenAt(workspace: string, plan: string, missions: readonly string[]): Promise<number | null> {
  const header = await placed(workspace, `${executionsDir}/${plan}/${evidenceNames.header}`);
  const places = [header, ...missions.map((one) => `${workspace}/${missionsDir}/${one}`)];
  const times = await Promise.all(places.flatMap((place) => (place === null ? [] : stat(place).catch(() => null))));
  return times.find((found) => found !== null)?.mtimeMs ?? null;
}

async function json(workspace: string, file: string): Promise<unknown> {
  const read = await readWorkspaceFile(workspace, file, limits.bytes);
  return read.kind === 'file' ? parsedJson(read.bytes.toString('utf8')) : null;
}

async function names(workspace: string, folder: string): Promise<readonly string[]> {
  return (await namesInWorkspace(workspace, folder)).filter((name) => !name.startsWith('.'));
}

async function placed(workspace: string, relative: string): Promise<string | null> {
  const place = await placeInWorkspace(workspace, relative).catch(() => null);
  return place?.kind === 'path' ? place.absolute : null;
}
