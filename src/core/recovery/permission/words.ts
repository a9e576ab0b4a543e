import type { WorkerName } from '../../../contracts/vocabulary/workers';
import { agentWorkers } from '../../../workers/registry';

export function contractName(worker: WorkerName): string {
  return worker === 'command' ? 'the command' : agentWorkers[worker].contractName;
}
