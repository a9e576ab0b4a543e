import { timingSafeEqual } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sealedTextSchema } from '../../contracts/fleetMirror';
import { done, refused, type Outcome, errorWords } from '../../base/outcome';
import type { FleetSeals, Sealed, OrderStates } from '../../engine/ports/fleet';
import { inScratchFolder } from '../files/scratch';
import { openUserKey, type UserKey } from './key';
import { writeFileAtomic } from '../files/atomic';
import { makeFolder } from '../files/makeFolder';
import { readOnce } from '../files/opened';

export interface SshKeys {
  /** File of the key that signs; of a public one an agent has the private half. Null: the key of this user seals. */
  readonly signsWith: string | null;
  /** File of the keys that count beside that of this user, in the format ALLOWED SIGNERS of ssh-keygen. */
  readonly signers: string | null;
}

/**
 * Seals with the key of this user or with an SSH key. A seal of this user's key counts always. A signature counts by a
 * key on the list, and only with a name of one person there.
 */
export function fleetSeals({ signsWith, signers }: SshKeys): FleetSeals {
  return {
    async seal(about, text) {
      if (signsWith !== null) {
        const args = ['sign', '-q', '-f', signsWith, '-n', namespaceOf(about)];
        const { output, fault } = await sshKeygen(args, JSON.stringify(partsOf(about, text)));
        return fault === null ? done({ text, seal: output }) : unsigned(signsWith, fault);
      }
      const key = await openUserKey();
      return key.ok ? done({ text, seal: key.value.seal('fleet', ...partsOf(about, text)) }) : key;
    },
    async open(about, value) {
      const sealed = sealedTextSchema.safeParse(value);
      if (!sealed.success) return done(null);
      const { text, seal } = sealed.data;
      if (seal.startsWith('-')) {
        const signer = signers === null ? null : await signerOf(signers, about, { text, seal });
        return done(signer === null ? null : { text, signer });
      }
      const key = await openUserKey();
      if (!key.ok) return key;
      const holds = timingSafeEqual(Buffer.from(seal), Buffer.from(key.value.seal('fleet', ...partsOf(about, text))));
      return done(holds ? { text, signer: null } : null);
    },
  };
}

/** Keys can be listed for people or for hosts. So the key of a host approves no plan and decides nothing. */
function namespaceOf({ kind }: Sealed): string {
  return `mission-control-${kind === 'order' || kind === 'decision' ? 'order' : 'export'}`;
}

function partsOf(about: Sealed, text: string): readonly string[] {
  switch (about.kind) {
    case 'order':
    case 'host':
      return [about.kind, text];
    case 'export':
      return [about.kind, about.order_id, text];
    case 'outcome':
    case 'words':
    case 'decision':
      return [about.kind, about.mission, text];
  }
}

/** The name on the list whose key made this signature; null: the list lacks the key, or has a pattern as its name. */
function signerOf(
  signers: string,
  about: Sealed,
  { text, seal }: { readonly text: string; readonly seal: string },
): Promise<string | null> {
  return inScratchFolder('mission-signature', async (folder) => {
    const file = path.join(folder, 'signature');
    await writeFile(file, seal, { mode: 0o600 });
    const found = await sshKeygen(['find-principals', '-s', file, '-f', signers], '');
    const names = found.fault === null ? found.output.split(/[\n,]/).map((name) => name.trim()) : [];
    for (const name of names.filter((one) => /^[^-*?!][^*?]*$/.test(one))) {
      const args = ['verify', '-f', signers, '-I', name, '-n', namespaceOf(about), '-s', file];
      if ((await sshKeygen(args, JSON.stringify(partsOf(about, text)))).fault === null) return name;
    }
    return null;
  });
}

/** Runs `ssh-keygen -Y`. `fault` says why it failed, in its own words. */
async function sshKeygen(
  args: readonly string[],
  input: string,
): Promise<{ readonly output: string; readonly fault: string | null }> {
  const { execa } = await import('execa');
  const result = await execa('ssh-keygen', ['-Y', ...args], {
    input,
    reject: false,
    stripFinalNewline: false,
    timeout: 10_000,
  });
  if (!result.failed) return { output: result.stdout, fault: null };
  const said = result.stderr.trim().split('\n').at(-1) ?? '';
  return { output: '', fault: said === '' ? (result.originalMessage ?? 'ssh-keygen failed') : said };
}

function unsigned(key: string, fault: string): Outcome<never> {
  const step = 'Give --sign a key that `ssh-keygen -Y sign` can use: without a passphrase, or with its agent.';
  return refused('FLEET_UNSIGNED', `${key} signs nothing: ${fault}.`, step);
}

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
