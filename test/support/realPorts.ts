import path from 'node:path';
import { openNodePorts, type NodePorts, type NodePortsOptions } from '../../src/adapters/nodePorts';
import { agentCatalog } from '../../src/workers/registry';

/** Ports on a folder of a test, with the agents and the environment of this process and the built supervisor. */
export async function openRealPorts(workspaceDir: string, more: Partial<NodePortsOptions> = {}): Promise<NodePorts> {
  const opened = await openNodePorts({
    ...{ workspaceDir, journal: { kind: 'in_process' }, toolVersion: '0.0.0-test' },
    workers: {
      ...agentCatalog,
      settings: () => ({ path: null, extraArgs: [], envNames: [], model: null }),
      environment: process.env,
    },
    supervisor: { supervisorFile: path.resolve('dist/supervisor.cjs') },
    onProblem: (problem) => process.stderr.write(`${problem}\n`),
    ...more,
  });
  if (!opened.ok) throw new Error(opened.refusal.reason);
  return opened.value;
}
