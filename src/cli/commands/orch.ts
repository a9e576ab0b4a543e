import { jsonLimits } from '../../adapters/documents/json';
import { readMissionPaths } from '../../adapters/state/missionPaths';
import type { NodePorts } from '../../adapters/nodePorts';
import { readRegularFile } from '../../adapters/files/regular';
import { approvedOtherBytes } from '../../engine/plans/approvals';
import { MissionReader, ofWorkspace } from '../../engine/views/reader';
import { orchStart as start, type OrchPlan, type OrchPorts, type OrchWritten } from '../../engine/external/start';
import { orchTask as task } from '../../engine/external/task';
import type { Outcome } from '../../base/outcome';
import type { Command, Invocation } from '../shell/command';
import { exitCodes, type ExitCode } from '../shell/output';
import { toolVersion } from '../shell/program';
import { besideOwner, owning } from '../owner/session';
import { terminal } from '../../base/text/marked/terminal';

const planOption = { plan: { value: 'FILE', help: 'The plan: docs/plans/PLAN_<plan_id>.json.' } } as const;

export const orchStart: Command = {
  usage: '--plan FILE',
  summary: 'Start the evidence of an execution by an executor that is not ours.',
  options: planOption,
  needs: ['plan'],
  run: (call) =>
    asOwner(call, async (ports, plan) => {
      const started = await start(ports, { ...plan, tool: { name: 'mission-control', version: toolVersion() } });
      if (!started.ok) return started;
      const { path, document } = started.value;
      call.out.line(terminal`${call.out.paint('green', 'Started')}: ${path}, state ${document.state}`);
      for (const left of (document.not_observed ?? []).slice(1)) call.out.line(terminal`  ${left}`);
      return started;
    }),
};

export const orchTask: Command = {
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
  run: (call) =>
    asOwner(call, async (ports, plan) => {
      const written = await task(ports, {
        ...plan,
        task_id: call.text('task') ?? '',
        phase: call.text('phase') ?? '',
        status: call.text('status'),
        notes: call.text('notes'),
        commit: call.text('commit'),
      });
      if (!written.ok) return written;
      const { path, header } = written.value;
      call.out.line(terminal`${call.out.paint('green', 'Written')}: ${path}; execution ${header.document.state}`);
      return written;
    }),
};

/** Holds the workspace's lease, because two calls at once would overwrite each other's evidence. */
async function asOwner(
  call: Invocation,
  work: (ports: OrchPorts, plan: OrchPlan) => Promise<Outcome<OrchWritten<object>>>,
): Promise<ExitCode> {
  const { out, workspace } = call;
  const plan_file = call.file(call.text('plan') ?? '');
  const reading = await readRegularFile(plan_file, jsonLimits.planBytes);
  if (!reading.ok)
    return out.refuse({ code: reading.code, reason: `${plan_file}: ${reading.message}`, next: ['Check the path.'] });
  const written = await owning(call, { kind: 'runner', name: 'mission orch' }, async ({ node }) => {
    const plan_path = (await readMissionPaths(workspace)).relative(plan_file) ?? plan_file;
    return work(orchPorts(node), { plan_path, plan_file, workspace_dir: workspace });
  });
  if (!written.ok) return out.refuse(await besideOwner(call, written.refusal));
  out.document(written.value.document);
  return exitCodes.ok;
}

function orchPorts({ ports, journal }: NodePorts): OrchPorts {
  const { evidence, plans, clock, workspace, records } = ports;
  return {
    evidence,
    plans,
    clock,
    head: () => workspace.head(),
    approvedOtherwise: (plan) => approvedOtherBytes(records, plan),
    missions: async () =>
      ofWorkspace(await new MissionReader(journal).read()).map(({ mission_id, plan }) => ({
        mission_id,
        plan_id: plan.plan_id,
      })),
  };
}
