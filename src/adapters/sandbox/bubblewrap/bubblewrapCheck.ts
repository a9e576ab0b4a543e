import { readFile, stat } from 'node:fs/promises';
import type { SandboxStanding } from '../../../engine/ports/sandbox';
import { findExecutable } from '../../processes/commandLine';
import { baseArguments } from './baseArguments';
import type { LayerMeans } from '../facts/facts';
import { findLayerMeans } from '../layers/layers';
import { tryOut } from './tryOut';
import { whyNot, type MachineFacts } from './whyNot';

type Environment = Readonly<Record<string, string | undefined>>;

export type FoundStanding = SandboxStanding & { readonly file?: string; readonly layering?: LayerMeans };

/**
 * Finds bubblewrap and starts a small sandbox with it, and one with a layer.
 *
 * @param folder where layers will lie; undefined: launches get no layers
 */
export async function bubblewrapStanding(
  environment: Environment,
  root: boolean,
  folder: string | undefined,
): Promise<FoundStanding> {
  const file = await findExecutable('bwrap', environment);
  if (file === null) return { kind: 'unavailable', ...whyNot(null, await machineFacts(root)) };
  const tried = await tryOut(file, [
    ...baseArguments({ root, network: false, namespaces: false }),
    ...[...small, '--tmpfs', '/run'],
    ...['--', file, '--version'],
  ]);
  const version = /^bubblewrap (\d[\w.-]*)\s*$/.exec(tried.stdout)?.[1];
  if (tried.code === 0 && version !== undefined) {
    const found =
      folder === undefined
        ? { why: 'there is no folder for them' }
        : await findLayerMeans({ bwrap: file, root, environment, folder });
    return {
      ...({ kind: 'available', means: 'bubblewrap', version, file } as const),
      not_nested: await whyNotNested(file, root),
      no_layers: 'why' in found ? found.why : null,
      ...(!('why' in found) && { layering: found }),
    };
  }
  const failure = { file, text: tried.stderr, code: tried.code };
  return { kind: 'unavailable', ...whyNot(failure, await machineFacts(root)) };
}

async function whyNotNested(file: string, root: boolean): Promise<string | null> {
  const around = [...baseArguments({ root, network: true, namespaces: true }), ...small, '--'];
  // Tries the arguments with which a CLI starts its own sandbox where it may not mount /proc.
  const places = ['--ro-bind', '/', '/', '--dev', '/dev'];
  const inner = ['--unshare-user', '--unshare-pid', '--unshare-net', ...places, '--', file, '--version'];
  const { code, stderr } = await tryOut(file, [...around, file, ...inner]);
  const said = stderr.split('\n').find((one) => one.trim() !== '') ?? `it ended with ${code ?? 'a signal'}`;
  return code === 0
    ? null
    : `A sandbox inside it cannot be built here: ${said.trim().replace(/\.$/, '').slice(0, 300)}.`;
}

const small = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'];

async function machineFacts(root: boolean): Promise<MachineFacts> {
  const text = (file: string): Promise<string> =>
    readFile(file, 'utf8').then(
      (read) => read.trim(),
      () => '',
    );
  const there = (file: string): Promise<boolean> =>
    stat(file).then(
      () => true,
      () => false,
    );
  return {
    root,
    osRelease: await text('/etc/os-release'),
    kernel: await text('/proc/sys/kernel/osrelease'),
    container: (await there('/.dockerenv')) || (await there('/run/.containerenv')),
    usersForbidden: (await text('/proc/sys/kernel/unprivileged_userns_clone')) === '0',
    noUserNamespaces: (await text('/proc/sys/user/max_user_namespaces')) === '0',
    apparmor: (await text('/proc/sys/kernel/apparmor_restrict_unprivileged_userns')) === '1',
  };
}
