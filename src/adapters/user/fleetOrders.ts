import path from 'node:path';
import { done, errorWords, refused } from '../../base/outcome';
import type { OrderStates } from '../../engine/ports/fleet';
import { writeFileAtomic } from '../files/atomic';
import { makeFolder } from '../files/makeFolder';
import { readOnce } from '../files/opened';
import { openUserKey, type UserKey } from './key';

/** Keeps what became of orders beside the key of this user, because rows of a database can be written again. */
export const fleetOrders: OrderStates = {
  async stateOf(order_id) {
    const key = await openUserKey();
    if (!key.ok) return key;
    const file = fileOf(key.value, order_id);
    try {
      const read = await readOnce(file, 100);
      if (read.kind === 'absent') return done(null);
      return done(read.kind === 'file' && read.bytes.toString('utf8') === 'recorded' ? 'recorded' : 'ended');
    } catch (error) {
      return refused('STATE_FOLDER_UNAVAILABLE', `${file} cannot be read: ${errorWords(error)}.`, `Look at ${file}.`);
    }
  },
  async keep(order_id, state) {
    const key = await openUserKey();
    if (!key.ok) return;
    const file = fileOf(key.value, order_id);
    try {
      await makeFolder(path.dirname(file), 0o700);
      await writeFileAtomic(file, state);
    } catch {
      // The database knows it as well, and the next host asks there first.
    }
  },
};

function fileOf({ folder }: UserKey, order_id: string): string {
  return path.join(folder, 'orders', order_id);
}
