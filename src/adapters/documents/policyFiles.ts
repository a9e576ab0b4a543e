import { stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, errorMessage } from '../../base/outcome';
import type { ModelPolicyDocument } from '../../contracts/modelPolicy';
import { machinePolicyName, repositoryPolicyPath } from '../../contracts/vocabulary/models';
import type { PolicyFile } from '../../engine/ports/plans';
import { readOnce } from '../files/opened';
import { readWorkspaceFile } from '../files/workspaceFile';
import { ownKeyFolder } from '../user/key';
import { parseJsonText } from './json';
import { checkShape } from './schemas';

/** Bytes of a policy file. */
const longest = 1024 * 1024;

/**
 * The policy files of this machine and of a workspace. The machine's file lies beside this user's key, because no
 * worker reaches that from its sandbox.
 */
export async function readPolicyFiles(
  workspaceDir: string | null,
  folder: string | null = ownKeyFolder(),
): Promise<readonly PolicyFile[]> {
  const machine = folder === null ? null : path.join(folder, machinePolicyName);
  return [
    ...(machine === null ? [] : [fileOf('machine', machine, await readMachine(machine))]),
    ...(workspaceDir === null
      ? []
      : [fileOf('repository', repositoryPolicyPath, await readRepository(workspaceDir, repositoryPolicyPath))]),
  ];
}

/** @param found null: the file does not exist; a text: the reason why it is not used */
function fileOf(kind: PolicyFile['kind'], file: string, found: Uint8Array | string | null): PolicyFile {
  if (found === null) return { kind, path: file, document: null, problems: [] };
  if (typeof found === 'string') return { kind, path: file, document: null, problems: [found] };
  const text = parseJsonText(found);
  const shape = text.value === undefined ? [] : checkShape('model-policy', text.value);
  const wrong = [...text.findings, ...shape].filter(({ severity }) => severity !== 'info');
  const problems = wrong.map(({ pointer, message }) => (pointer === '' ? message : `${pointer}: ${message}`));
  // The cast holds, because the schema accepted the value, and schema and type have one source.
  return { kind, path: file, document: problems.length > 0 ? null : (text.value as ModelPolicyDocument), problems };
}

/** Follows a link, because a person may keep the file elsewhere. */
async function readMachine(file: string): Promise<Uint8Array | string | null> {
  try {
    const read = await readOnce(file, longest, { follow: true });
    if (read.kind === 'absent') return null;
    if (read.kind === 'irregular') return 'It is not a file.';
    if (read.kind === 'too_large') return 'It is larger than 1 MB.';
    const user = process.getuid?.();
    const { uid, mode } = read.stats;
    if (user !== undefined && uid !== user && uid !== 0) return `It belongs to user ${String(uid)}.`;
    return user !== undefined && (mode & 0o022) !== 0
      ? 'Others may write it; `chmod go-w` takes that away.'
      : read.bytes;
  } catch (error) {
    // In a home of another user there is no policy of this user, just as there is no key.
    if (await isOutOfReach(path.dirname(file))) return null;
    return `It could not be read (${errorMessage(error)}).`;
  }
}

/** Says whether the folder belongs to another user, or lies behind a folder that this user may not enter. */
async function isOutOfReach(folder: string): Promise<boolean> {
  return stat(folder).then(
    ({ uid }) => process.getuid !== undefined && uid !== process.getuid(),
    (error: unknown) => errorCode(error) === 'EACCES',
  );
}

async function readRepository(workspaceDir: string, file: string): Promise<Uint8Array | string | null> {
  const read = await readWorkspaceFile(workspaceDir, file, longest);
  switch (read.kind) {
    case 'file':
      return read.bytes;
    case 'none':
      return null;
    case 'refused':
    case 'unreadable':
      return `It is not used: ${read.reason}.`;
  }
}
