/** The workers that are agent CLIs; code about each of them maps over this list. */
export const agentNames = ['claude', 'codex', 'gemini', 'opencode'] as const;
export type AgentName = (typeof agentNames)[number];

/** The worker of tasks that name none, unless another is configured. */
export const defaultAgent: AgentName = 'claude';

/** `command` runs an argv of the plan and invokes no model. */
export const workerNames = [...agentNames, 'command'] as const;
export type WorkerName = (typeof workerNames)[number];

/**
 * What keeps a worker inside its scope while it runs; shown at approval and recorded in the evidence. `task_sandbox`:
 * ours, which lets nothing but the approved paths of the task be written; `os_sandbox`: the CLI's own, which is wider.
 */
export const confinements = ['task_sandbox', 'os_sandbox', 'tool_limits', 'none'] as const;
export type Confinement = (typeof confinements)[number];

const tools = {
  read: ['read', 'read_file', 'read_many_files', 'notebookread'],
  edit: ['edit', 'multiedit', 'notebookedit', 'replace', 'apply_patch'],
  write: ['write', 'write_file'],
  run: ['bash', 'shell', 'run_shell_command', 'command_execution'],
  find: ['grep', 'glob', 'search_file_content', 'grep_search'],
  list: ['ls', 'list', 'list_directory'],
} as const;

/** What the tools of all CLIs do, by their names in lower case. */
export const toolActions: ReadonlyMap<string, string> = new Map(
  Object.entries(tools).flatMap(([word, names]) => names.map((name) => [name, word] as const)),
);
