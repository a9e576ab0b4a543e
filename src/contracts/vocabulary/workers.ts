/** The workers that are agent CLIs: whoever needs something of each of them maps over this list. */
export const agentNames = ['claude', 'codex', 'gemini'] as const;
export type AgentName = (typeof agentNames)[number];

/** Who performs tasks that name no worker, where nobody configured another. */
export const defaultAgent: AgentName = 'claude';

/** Who may perform a task. `command` runs an argv of the plan and invokes no model. Source: decisions.md section 3. */
export const workerNames = [...agentNames, 'command'] as const;
export type WorkerName = (typeof workerNames)[number];

/** What keeps a worker inside its scope while it runs; shown at approval and recorded in the evidence. */
export const confinements = ['os_sandbox', 'tool_limits', 'none'] as const;
export type Confinement = (typeof confinements)[number];
