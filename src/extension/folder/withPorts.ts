import type { NodePorts } from '../../adapters/nodePorts';
import type { Outcome } from '../../base/outcome';
import type { OwnerDependencies } from './owner';
import type { MissionFolder } from './types';

/** Looks with the ports of an owner, and owns nothing: for what is asked before a person is. */
export async function withPorts<T>(
  { openPorts }: Pick<OwnerDependencies, 'openPorts'>,
  { folder }: Pick<MissionFolder, 'folder'>,
  look: (node: NodePorts) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const node = await openPorts(folder.uri.fsPath);
  if (!node.ok) return node;
  try {
    return await look(node.value);
  } finally {
    await node.value.close();
  }
}
