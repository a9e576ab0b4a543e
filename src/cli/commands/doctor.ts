import { planFiles } from '../../adapters/documents/planFiles';
import { createDoctorPorts } from '../../adapters/doctor/doctor';
import { createWorkerCatalog } from '../../adapters/launches/workerCatalog';
import type { AgentName } from '../../contracts/vocabulary/workers';
import { defaultWorkerOfPlans } from '../../engine/plans/check';
import { doctorChecks } from '../../engine/views/doctor';
import type { DoctorCheck } from '../../engine/ports/doctor';
import type { Command } from '../shell/command';
import { refusalText, exitCodes } from '../shell/output';
import { insideWorker } from '../owner/decide';
import { supervisorFile, toolVersion } from '../shell/program';
import { agentsOf, isInsideWorker, workerOptions } from '../owner/session';
import { terminal } from '../../base/text/marked/terminal';

export const doctor: Command = {
  summary: 'Check Node, git, worker CLIs, file system and state store.',
  details: ['ok is true when every required check is. A worker CLI that is not installed is listed and not required.'],
  options: {
    repair: { help: 'Explain what can be repaired, ask, and repair it. Never deletes evidence or journal.' },
    yes: { help: 'With --repair: do not ask.' },
    fleet: { help: 'Check the fleet of MISSION_FLEET_DATABASE, too, and say what a host here would have.' },
    ...workerOptions,
  },
  store: 'preferred',
  async run(call) {
    const { out } = call;
    let checks = await look();
    const repaired: string[] = [];
    let tried = false;
    for (const check of call.flag('repair') ? checks : []) {
      if (check.ok || !check.repair) continue;
      if (await isInsideWorker(call.workspace)) return out.refuse(insideWorker);
      out.note(terminal`${check.id}: ${check.detail}\n  Repair: ${check.repair.explains}`);
      if (!call.flag('yes') && !(out.interactive && (await out.ask(terminal`Do it?`)))) continue;
      const outcome = await check.repair.does();
      if (outcome.ok) repaired.push(check.id);
      else out.note(refusalText(outcome.refusal));
      tried = true;
    }
    if (tried) checks = await look();
    const ok = checks.every((check) => check.ok || !check.required);
    for (const check of checks) {
      const mark = check.ok
        ? out.paint('green', 'ok  ')
        : check.required
          ? out.paint('red', 'FAIL')
          : out.paint('yellow', '-   ');
      out.line(terminal`${mark} ${check.id.padEnd(14)} ${check.detail}`);
      if (!check.ok && check.fix !== '') out.line(terminal`                    fix: ${check.fix}`);
      if (!check.ok && check.repair) out.line(terminal`                    or: mission doctor --repair`);
    }
    out.line(
      ok
        ? out.paint('green', 'Everything that is required is in order.')
        : out.paint('red', 'Something that is required is not in order.'),
    );
    out.document({
      ok,
      checks: checks.map(({ id, ok: good, required, detail, fix }) => ({ id, ok: good, required, detail, fix })),
      repaired,
    });
    return ok ? exitCodes.ok : exitCodes.environment;

    async function look(): Promise<readonly DoctorCheck[]> {
      return call.flag('fleet') ? [...(await lookHere()), ...(await lookAtFleet())] : lookHere();
    }

    async function lookAtFleet(): Promise<readonly DoctorCheck[]> {
      const [{ fleetChecks }, { lookForLabels }] = await Promise.all([
        import('./fleet/connection'),
        import('./fleet/host'),
      ]);
      return fleetChecks(call, await lookForLabels(call)());
    }

    function lookHere(): Promise<readonly DoctorCheck[]> {
      const agents = agentsOf(call);
      const workers = createWorkerCatalog({ ...agents, workspaces: () => [call.workspace] });
      const extraArgs = (worker: AgentName): readonly string[] => agents.settings(worker).extraArgs;
      const installed = { supervisorFile, toolVersion: toolVersion() };
      return doctorChecks(
        {
          ...{ workspaceDir: call.workspace, trusted: true, workers, plans: planFiles, extraArgs },
          defaultWorker: defaultWorkerOfPlans,
        },
        createDoctorPorts(installed, { kind: 'in_process' }),
      );
    }
  },
};
