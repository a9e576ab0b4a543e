import { timingSafeEqual } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sealedTextSchema } from '../../contracts/fleet';
import { done, refused, type Outcome } from '../../base/outcome';
import type { FleetSeals, Sealed } from '../../engine/ports/fleet';
import { inScratchFolder } from '../files/scratch';
import { openUserKey } from './key';

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
