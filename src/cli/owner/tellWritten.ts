import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { sha256Of } from '../../adapters/files/bytes/sha256';
import { otherOwner } from '../../adapters/inbox/otherOwner';
import { readMissionPaths } from '../../adapters/state/missionPaths';
import { terminal } from '../../base/text/marked/terminal';
import { sendToOwner } from '../../engine/owner/deliver';
import type { Invocation } from '../shell/command';
import { actorOf, isInsideWorker, longWait } from './session';

/** Reports a file that a person's command wrote, so that it counts as no worker's change. `file` is absolute. */
export async function tellWritten(call: Invocation, file: string): Promise<void> {
  const path = (await readMissionPaths(call.workspace)).relative(file)?.replaceAll('\\', '/');
  const bytes = await readFile(file).catch(() => null);
  // No mission observes a file outside its workspace.
  if (path === undefined || bytes === null) return;
  const sent = await sendToOwner(
    otherOwner(call.workspace, {
      id: randomUUID(),
      mission_id: '',
      command: { type: 'DocumentSaved', path, sha256: sha256Of(bytes) },
      actor: actorOf(call),
      reason: `A person’s command wrote ${path}.`,
      from_worker: await isInsideWorker(call.workspace),
    }),
    longWait(call),
  );
  if (sent === null || sent.kind === 'gone' || (sent.kind === 'answered' && sent.answer.accepted)) return;
  call.out.note(
    terminal`The process that runs missions here has not taken that a person wrote ${path}: the task that it runs may block because of it.`,
  );
}
