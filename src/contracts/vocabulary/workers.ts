/** Who may perform a task. `command` runs an argv of the plan and invokes no model. Source: decisions.md section 3. */
export const workerNames = ['claude', 'codex', 'gemini', 'command'] as const;
export type WorkerName = (typeof workerNames)[number];

/** The workers that are agent CLIs. */
export const agentNames = ['claude', 'codex', 'gemini'] as const;
export type AgentName = (typeof agentNames)[number];

/** What keeps a worker inside its scope while it runs; shown at approval and recorded in the evidence. */
export const confinements = ['os_sandbox', 'tool_limits', 'none'] as const;
export type Confinement = (typeof confinements)[number];
