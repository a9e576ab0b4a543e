import { quoted, textsAt, type JsonObject } from '../../../base/json';
import { deviceProblem, readNetworkService } from '../../paths/services';
import type { AddPlanFinding } from './judgedTask';

/** The ports, sockets and devices that a plan opens, by their names alone; the launch looks at the disk. */
export function judgeServices(execution: JsonObject | null, workspaceDir: string | null, report: AddPlanFinding): void {
  for (const [text, index] of textsAt(execution, 'network')) {
    const read = readNetworkService(text);
    const problem =
      read.kind === 'problem'
        ? read.problem
        : read.kind === 'socket' && isBelow(read.path, workspaceDir)
          ? 'lies in the workspace, where a task could put another one'
          : null;
    if (problem !== null) report('SERVICE_INVALID', `/execution/network/${index}`, `${quoted(text)} ${problem}.`);
  }
  for (const [text, index] of textsAt(execution, 'devices')) {
    const problem = deviceProblem(text);
    if (problem !== null) report('SERVICE_INVALID', `/execution/devices/${index}`, `${quoted(text)} ${problem}.`);
  }
}

function isBelow(path: string, folder: string | null): boolean {
  return folder !== null && `${path}/`.startsWith(`${folder.replace(/\/+$/, '')}/`);
}
