import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ProcessRecord } from '../../src/contracts/launch';
import type { MissionView } from '../../src/contracts/page/missionView';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import { CliBed, isAlive, until, type Printed, type TaskOptions } from './cliBed';

/** A workspace for missions of several lanes: lane X may write below `lanes/X/`, and its gates lie outside the workspace. */
export class LanesBed extends CliBed {
  /** A task of its own folder. `body` runs after the folder exists and holds `pid`; it may use what `prelude` offers. */
  lane(name: string, body: string, more: TaskOptions = {}): TaskOptions {
    return {
      task_id: name,
      paths: [`lanes/${name}/`],
      script: `${this.prelude(name)}write(own('pid'), String(process.pid));\n${body}\n`,
      ...more,
    };
  }

  /** Text of the beginning of a lane's module, and of one that verifies it: that leaves alone what the worker wrote. */
  prelude(name: string): string {
    return `import fs from 'node:fs';
import path from 'node:path';
const own = (file) => path.join('lanes', ${JSON.stringify(name)}, file);
const outside = (file) => path.join(${JSON.stringify(this.scratch)}, file);
const write = (file, text = ${JSON.stringify(name)}) => { fs.mkdirSync(path.dirname(file), { recursive: true }); fs.writeFileSync(file, text); };
const until = async (look) => { while (!look()) await new Promise((go) => setTimeout(go, 10)); };
const gate = (file) => until(() => fs.existsSync(path.join(${JSON.stringify(this.gateFile(''))}, file)));
fs.appendFileSync(outside('runs'), ${JSON.stringify(`${name} `)});
`;
  }

  parallel(planId: string, max_parallel: number, tasks: readonly TaskOptions[], more: object = {}): string {
    return this.plan(planId, tasks, { mode: 'parallel', max_parallel, ...more });
  }

  /** Resolves with the process ids of the workers once all of them run. */
  async pids(...names: readonly string[]): Promise<readonly number[]> {
    const file = (name: string): string => `lanes/${name}/pid`;
    await until(() => names.every((name) => this.exists(file(name)) && this.read(file(name)) !== ''));
    return names.map((name) => Number(this.read(file(name))));
  }

  async gone(pids: readonly number[]): Promise<void> {
    await until(() => pids.every((pid) => !isAlive(pid)));
  }

  /** The workers that were started, in order of their beginning. */
  runs(): readonly string[] {
    return readFileSync(path.join(this.scratch, 'runs'), 'utf8').trim().split(' ');
  }

  /** Tasks in the order in which their attempts began. */
  async order(id: string): Promise<readonly string[]> {
    return (await this.events(id)).flatMap((event) => (event.type === 'AttemptStarted' ? [event.task_id] : []));
  }

  evidence(planId: string, task: string): TaskEvidence {
    return this.json(`docs/ops/executions/${planId}/TASK_${task}.json`) as unknown as TaskEvidence;
  }

  /** The mission as `mission status` shows it, once it exists. */
  view(planId: string): Promise<MissionView> {
    return until(async () => {
      const { json } = await this.mission('status', planId);
      return (json as Partial<Printed>).missions?.[0] as unknown as MissionView | undefined;
    });
  }

  /** What the supervisor of a task's newest run wrote about itself and its worker. */
  processOf(task: string): ProcessRecord {
    return JSON.parse(this.read(`${this.runsOf(task).at(-1) ?? ''}/process.json`)) as ProcessRecord;
  }

  /** The run directories of a task, oldest first, relative to the workspace. */
  runsOf(task: string): readonly string[] {
    const [mission = ''] = readdirSync(this.at('.mission-control/missions'));
    const runs = `.mission-control/missions/${mission}/runs`;
    const all = readdirSync(this.at(runs)).filter((name) => name.endsWith(`-${task}`));
    return all.sort().map((name) => `${runs}/${name}`);
  }

  /** The same once the supervisor has recorded the worker, which may write its first file before that. */
  startedProcessOf(task: string): Promise<ProcessRecord> {
    return until(() => {
      const record = this.processOf(task);
      return record.worker === null ? null : record;
    });
  }
}
