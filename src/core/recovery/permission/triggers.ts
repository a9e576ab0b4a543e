import type { PermissionAction, PermissionIssue } from '../../../contracts/vocabulary/permission';
import { agentNames, type AgentName } from '../../../contracts/vocabulary/workers';
import { agentWorkers } from '../../../workers/registry';
import type { Denial } from '../../../workers/worker';

/** One row of the trigger table: what a CLI says, and what follows. */
export interface Trigger extends Denial {
  readonly agent: AgentName;
  readonly action: PermissionAction;
}

/** The first row of an agent that fits decides. */
export const triggers: readonly Trigger[] = agentNames.flatMap((agent) =>
  agentWorkers[agent].words.denials.map((denial) => ({ ...denial, agent, action: actionFor(denial.issue, agent) })),
);

function actionFor(issue: PermissionIssue, agent: AgentName): PermissionAction {
  switch (issue) {
    case 'DIR_SCOPE_ERROR':
    case 'SANDBOX_ERROR':
      return agentWorkers[agent].words.widening;
    case 'FS_PERM_ERROR':
      return 'CHMOD_AND_RELAUNCH';
    case 'GIT_TRUST_ERROR':
    case 'GIT_CHECK_ERROR':
      return 'RELAUNCH_WITH_SKIP_GIT_CHECK';
    case 'FOLDER_TRUST_ERROR':
      return 'RELAUNCH_WITH_SKIP_TRUST';
    case 'RATE_LIMITED':
      return 'BLOCK';
    case 'TOOL_DENIED':
    case 'LOGIN_REQUIRED':
    case 'SANDBOX_MISSING':
    case 'UNKNOWN_PERMISSION_ERROR':
      return 'ESCALATE';
  }
}
