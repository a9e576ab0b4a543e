import { jsonLimits } from '../../adapters/documents/json';
import { readMissionPaths } from '../../adapters/state/missionPaths';
import type { NodePorts } from '../../adapters/nodePorts';
import { readRegularFile } from '../../adapters/files/regular';
import { approvedOtherBytes } from '../../engine/plans/approvals';
import { MissionReader } from '../../engine/views/reader';
import { orchStart as start, type OrchPlan, type OrchPorts } from '../../engine/external/start';
import { orchTask as task } from '../../engine/external/task';
import type { Outcome } from '../../base/outcome';
import type { CommandSpec, Invocation } from '../shell/command';
import { exitCodes, type ExitCode } from '../shell/exitCodes';
import { toolVersion } from '../shell/program';
import { besideOwner } from '../owner/otherOwnerRefusal';
import { owning } from '../owner/session';
import { terminal } from '../../base/text/marked/terminal';

const planOption = { plan: { value: 'FILE', help: 'The plan: docs/plans/PLAN_<plan_id>.json.' } } as const;

export const orchStart: CommandSpec = {
  name: 'orch start',
  usage: '--plan FILE',
  summary: 'Start the evidence of an execution by an executor that is not ours.',
  options: planOption,
  needs: ['plan'],
  run: (call) =>
    asOwner(call, async (ports, plan) => {
      const started = await start(ports, {
        ...plan,
        tool: { name: 'mission-control', version: toolVersion() },
        identity: null,
      });
      if (started.ok)
        call.out.line(
          terminal`${call.out.paint('green', 'Started')}: ${started.value.path}, state ${started.value.document.state}`,
        );
      for (const left of started.ok ? (started.value.document.not_observed ?? []).slice(1) : [])
        call.out.line(terminal`  ${left}`);
      return started.ok ? { ok: true, value: started.value.document } : started;
    }),
};

export const orchTask: CommandSpec = {
  name: 'orch task',
  usage: '--plan FILE --task ID --phase START|END',
  summary: 'Record the start or the end of a task of such an execution.',
  options: {
    ...planOption,
    task: { value: 'ID', help: 'The task.' },
    phase: { value: 'START|END', help: 'What happened.' },
    status: { value: 'STATUS', help: 'At END: SUCCESS, FAILED or SKIPPED.' },
    notes: { value: 'TEXT', help: 'Notes for the evidence.' },
    commit: { value: 'SHA', help: 'Commit to record at END (default: HEAD).' },
  },
  needs: ['plan', 'task', 'phase'],
  run(call) {
    const request = {
      task_id: call.text('task') ?? '',
      phase: call.text('phase') ?? '',
      status: call.text('status'),
      notes: call.text('notes'),
      commit: call.text('commit'),
    };
    return asOwner(call, async (ports, plan) => {
      const written = await task(ports, { ...plan, ...request });
      if (written.ok)
        call.out.line(
          terminal`${call.out.paint('green', 'Written')}: ${written.value.path}; execution ${written.value.header.document.state}`,
        );
      return written.ok ? { ok: true, value: written.value.document } : written;
    });
  },
};

/** Holds the workspace's lease, because two calls at once would overwrite each other's evidence. */
async function asOwner(
  call: Invocation,
  work: (ports: OrchPorts, plan: OrchPlan) => Promise<Outcome<object>>,
): Promise<ExitCode> {
  const { out } = call;
  const plan_file = call.file(call.text('plan') ?? '');
  const reading = await readRegularFile(plan_file, jsonLimits.bytes);
  if (!reading.ok)
    return out.refuse({ code: reading.code, reason: `${plan_file}: ${reading.message}`, next: ['Check the path.'] });
  const written = await owning(call, { kind: 'runner', name: 'mission orch' }, async ({ node }) => {
    const paths = await readMissionPaths(call.workspace);
    const plan = { plan_path: paths.relative(plan_file) ?? plan_file, plan_file, workspace_dir: call.workspace };
    return work(orchPorts(node), plan);
  });
  if (!written.ok) return out.refuse(await besideOwner(call, written.refusal));
  out.document(written.value);
  return exitCodes.ok;
}

function orchPorts({ ports, journal }: NodePorts): OrchPorts {
  return {
    evidence: ports.evidence,
    plans: ports.plans,
    clock: ports.clock,
    head: () => ports.workspace.head(),
    approvedOtherwise: (plan) => approvedOtherBytes(ports.records, plan),
    async planIds() {
      const { missions } = await new MissionReader(journal).read();
      return missions.map(({ mission }) => mission.plan.plan_id);
    },
    async missionOf(planId) {
      const { missions } = await new MissionReader(journal).read();
      return missions.find(({ mission }) => mission.plan.plan_id === planId)?.mission.mission_id ?? null;
    },
  };
}
