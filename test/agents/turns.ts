import type { AgentName } from '../../src/contracts/vocabulary/workers';
import type { ModelRequest, ModelTurn } from './mockModel';

/** The model writes a file with the tool this CLI offers for it. `file` is absolute. */
export function writeFileTurn(agent: AgentName, file: string, content: string): ModelTurn {
  switch (agent) {
    case 'claude':
      return { tool: 'Write', arguments: { file_path: file, content } };
    case 'codex':
      return shellTurn(agent, `printf %s ${quote(content)} > ${quote(file)}`);
    case 'gemini':
      return { tool: 'write_file', arguments: { file_path: file, content } };
    case 'opencode':
      return { tool: 'write', arguments: { filePath: file, content } };
  }
}

/** The model runs a shell command, offered or not. */
export function shellTurn(agent: AgentName, command: string): ModelTurn {
  switch (agent) {
    case 'claude':
      return { tool: 'Bash', arguments: { command, description: 'run a command' } };
    case 'codex':
      return { tool: 'exec_command', arguments: { cmd: command } };
    case 'gemini':
      return { tool: 'run_shell_command', arguments: { command } };
    case 'opencode':
      return { tool: 'bash', arguments: { command, description: 'run a command' } };
  }
}

/** How each CLI names a mission tool for its model; Codex through `withNamespaces`. */
export function missionTool(agent: AgentName, tool: string): string {
  switch (agent) {
    case 'claude':
      return `mcp__mission__${tool}`;
    case 'codex':
      return `mcp__mission::${tool}`;
    case 'gemini':
      return `mcp_mission_${tool}`;
    case 'opencode':
      return `mission_${tool}`;
  }
}

/** The model of an orchestrator session uses a mission tool. */
export function missionToolTurn(agent: AgentName, tool: string, given: Record<string, unknown> = {}): ModelTurn {
  return { tool: missionTool(agent, tool), arguments: given };
}

/** The model ends with a result packet, in the form this CLI's launch line asks for. */
export function finishTurn(agent: AgentName, packet: object): ModelTurn {
  switch (agent) {
    case 'claude':
      return { tool: 'StructuredOutput', arguments: { ...packet } };
    case 'codex':
      return { say: JSON.stringify(packet) };
    case 'gemini':
    case 'opencode':
      return { say: `All done.\n\n\`\`\`json\n${JSON.stringify(packet, null, 2)}\n\`\`\`\n` };
  }
}

/** The packet a well-behaved model sends: ids are taken from the prompt it was given. */
export function packetFor(
  request: ModelRequest,
  changes: readonly { resource: string; action: string }[],
  status: 'done' | 'blocked' | 'failed' = 'done',
): object {
  return {
    schema_version: '1.0.0',
    run_id: fromPrompt(request, 'run_id'),
    task_id: fromPrompt(request, 'task_id'),
    status,
    changes: changes.map((change) => ({ ...change, evidence: null })),
    acceptance_check: [
      {
        criterion: 'the task is done as described',
        status: status === 'done' ? 'pass' : 'fail',
        evidence: 'see the changes',
      },
    ],
    worklog_path: '',
    notes_for_orchestrator: [],
  };
}

function fromPrompt(request: ModelRequest, name: string): string {
  return new RegExp(`"${name}": "([^"]+)"`).exec(request.prompt)?.[1] ?? `no ${name} in the prompt`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
