/** A positional argument that a command cannot do without. */
export interface RequiredArgument {
  /** Its word in the usage. */
  readonly name: string;
  readonly is: string;
  /** The command or sentence that leads to one; absent: the help of the command does. */
  readonly step?: string;
}

export const namePlan = 'Name a plan of this workspace: docs/plans/PLAN_<plan_id>.json.';
const plan = { name: 'FILE', is: 'the file of a plan', step: namePlan } as const;

/** The arguments that commands require. */
export const required = {
  mission: { name: 'MISSION', is: 'the id of a mission, or of its plan', step: 'mission list' },
  task: { name: 'TASK', is: 'the id of a task', step: 'mission status' },
  change: { name: 'PATH', is: 'a change on the list of the task', step: 'mission status' },
  directory: { name: 'DIR', is: 'the directory that a worker was denied', step: 'mission status' },
  packet: { name: 'ID', is: 'the id of a recovery packet', step: 'mission packet list' },
  packetOrMission: { name: 'ID', is: 'the id of a recovery packet; or MISSION', step: 'mission packet list' },
  missionOrLog: { name: 'MISSION', is: 'the id of a mission; or FILE, an exported audit log', step: 'mission list' },
  key: { name: 'KEY', is: 'the key of what is remembered', step: 'mission memory list' },
  newPlan: { name: 'ID', is: 'the id of the new plan', step: 'mission plan new my-plan-1' },
  plan,
  runPlan: { ...plan, name: 'PLAN' },
  planRan: {
    name: 'PLAN_ID',
    is: 'the id of a plan that ran',
    step: 'Name a folder of docs/ops/executions; `mission list` shows the plans that ran here.',
  },
  handoff: { name: 'DIR', is: 'a folder that mission handoff export wrote' },
  document: { name: 'FILE', is: 'the document to validate' },
  transcript: { name: 'FILE', is: 'what a worker CLI wrote on stdout' },
} as const satisfies Readonly<Record<string, RequiredArgument>>;
