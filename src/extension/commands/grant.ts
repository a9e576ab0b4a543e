import path from 'node:path';
import { grantedFolder, type GrantedPlace } from '../../adapters/files/grantedFolder';
import type { BlockView } from '../../contracts/page/blockView';
import { recoveryWords } from '../../base/text/words';
import { ui } from '../../base/text/marked/ui';
import type { Composition } from '../compose';
import { blocksFor } from '../views/missionFacts';
import { askText, inform } from '../window/ui';
import { decide } from './ask/decisions';
import { chooseBlock, type Target, chooseFor } from './ask/targets';

/** Grants one attempt of a blocked task what its worker was denied; the same decision continues the mission. */
export async function grantAndResume(composition: Composition, argument?: unknown): Promise<void> {
  const target = await chooseFor(composition, argument, 'grantAndResume', 'No task waits for a permission.');
  const block = target && (await chooseBlock(target, blocksFor('grantAndResume', target.mission)));
  if (!block) return;
  // Said before a person types a place and a reason.
  if (block.denied?.ungranted !== undefined) return void inform(ui`${block.denied.ungranted} Nothing was granted.`);
  const place = await askPlace(target, block);
  if (place === undefined) return;
  await decide(
    composition,
    target,
    { type: 'GrantDirectory', task_id: block.task_id, ...place },
    ui`For one attempt of task ${block.task_id}, and no later one: ${widened(block)} ${place.file ?? place.directory}.`,
  );
}

/** The first part of a sentence, up to the name of the directory. */
function widened({ denied }: BlockView): string {
  if (denied?.reads) return 'its worker may also read';
  return denied ? recoveryWords[denied.permission].granted : 'granted is';
}

async function askPlace(
  { folder, mission, question: { title } }: Target,
  { denied: withheld, task_id, reason }: BlockView,
): Promise<GrantedPlace | undefined> {
  const root = folder.folder.uri.fsPath;
  const place = withheld?.path ?? null;
  if (place === null) return { directory: root };
  const denied = path.resolve(root, place);
  const { mission_id } = mission;
  const whole = await grantedFolder({ mission_id, named: denied, denied });
  const named = await askText({
    title,
    prompt: ui`The directory or file that one attempt of task ${task_id} is granted, outside the workspace. ${reason}`,
    value: whole.ok ? (whole.value.file ?? whole.value.directory) : place,
    refuses: (text) => (path.isAbsolute(text) ? null : ui`Give the whole path of a directory or file.`),
  });
  if (named === undefined) return undefined;
  const found = await grantedFolder({ mission_id, named, denied });
  if (!found.ok) return void inform(ui`${found.refusal.reason} Nothing was granted.`);
  return found.value;
}
