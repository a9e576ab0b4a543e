import { howToPass } from '../../base/text/passVariables';
import { defaultWorkerOption } from '../../base/text/optionNames';
import { agentNames, type AgentName, type WorkerName } from '../../contracts/vocabulary/workers';
import { agentWorkers } from '../../workers/registry';
import { versionStanding } from '../../workers/versions';
import { policyProblem } from '../../core/plan/rules/models';
import { sourcesWords } from '../../core/policy/policy';
import { readPolicy } from '../plans/policy';
import type { PlanFiles } from '../ports/plans';
import { hostsOf } from '../plans/providerHosts';
import { refusalOfExtraArguments } from '../plans/extraArguments';
import { MissionReader } from './reader';
import type { ProviderFacts, WorkerCatalog } from '../ports/workers';
import type { DoctorCheck, DoctorPorts, ReadMissions, SandboxedCli } from '../ports/doctor';

export interface DoctorRequest {
  /** Absolute path; null: checks the machine only. */
  readonly workspaceDir: string | null;
  /** Programs may be started there. */
  readonly trusted: boolean;
  readonly workers: WorkerCatalog;
  readonly plans: PlanFiles;
  readonly extraArgs: (worker: AgentName) => readonly string[];
  readonly defaultWorker: WorkerName;
}

export async function doctorChecks(request: DoctorRequest, ports: DoctorPorts): Promise<readonly DoctorCheck[]> {
  return [
    ...(await ports.machine()),
    ...(await Promise.all(agentNames.map((name) => workerCheck(name, request)))),
    await policyCheck(request),
    ...(await ports.sandbox(request.workspaceDir, await foundIn(request.workers))),
    ...(request.workspaceDir === null
      ? []
      : await ports.workspace(request.workspaceDir, readMissions, request.trusted)),
  ];
}

async function policyCheck({ workspaceDir, plans }: DoctorRequest): Promise<DoctorCheck> {
  const check = { id: 'model-policy', required: true } as const;
  const reading = await readPolicy(plans, workspaceDir);
  if (!reading.ok) {
    const detail = `${reading.code}: ${policyProblem(reading)} Nothing runs here.`;
    return { ...check, ok: false, detail, fix: `Correct ${reading.file}, or move it away.` };
  }
  const files = await plans.policies(workspaceDir);
  const places = files.filter(({ document }) => document === null).map(({ kind, path }) => `${kind} ${path}`);
  const absent = places.length === 0 ? '' : `; not there: ${places.join(', ')}`;
  const detail = `${sourcesWords(reading.policy.sources)}; SHA-256 ${reading.policy.sha256}${absent}`;
  return { ...check, ok: true, detail, fix: '' };
}

async function foundIn(workers: WorkerCatalog): Promise<readonly SandboxedCli[]> {
  const found: SandboxedCli[] = [];
  for (const name of agentNames) {
    const resolved = await workers.resolve(name);
    const { home, namespaces } = agentWorkers[name];
    if (!resolved.ok) continue;
    const { executable, hosts, provider } = resolved.value;
    found.push({ name, executable, home, namespaces, hosts: hostsOf(name, hosts, provider) });
  }
  return found;
}

const readMissions: ReadMissions = async (journal) => {
  const { missions, unreadable } = await new MissionReader(journal).read();
  return {
    missions: missions.map(({ mission: { mission_id, ending, lanes }, foreign }) => ({
      mission_id,
      under_way: ending === null && lanes.length > 0 && !foreign,
    })),
    unreadable,
  };
};

async function workerCheck(name: AgentName, request: DoctorRequest): Promise<DoctorCheck> {
  const { workers, extraArgs, defaultWorker } = request;
  const unfit = (detail: string, fix: string): DoctorCheck => ({ id: name, ok: false, required: false, detail, fix });
  const isDefault = name === defaultWorker;
  const refused = isDefault
    ? `Plans that name ${name} or no worker are refused, because ${name} is the default worker.`
    : `Plans that name ${name} are refused.`;
  const unsafe = refusalOfExtraArguments(name, extraArgs(name), workers.surface);
  if (unsafe) return unfit(`${unsafe.code}: ${unsafe.reason} ${refused}`, unsafe.next[0] ?? '');
  const found = await workers.resolve(name, 'again');
  const other = isDefault
    ? ` Or choose another default worker with ${defaultWorkerOption(workers.surface ?? 'terminal')}.`
    : '';
  if (!found.ok) return unfit(`${found.refusal.reason} ${refused}`, `${found.refusal.next[0] ?? ''}${other}`);
  const { executable, version, provider } = found.value;
  const { testedVersions } = agentWorkers[name];
  const range = `tested with ${testedVersions.from} to ${testedVersions.to}`;
  const login = `${speaksTo(name, provider)}login cannot be checked without a call`;
  if (version === null)
    return unfit(
      `${executable} does not report its version; ${range}; ${login}`,
      `Run ${executable} --version and look at what it says.`,
    );
  const standing = versionStanding(version, testedVersions);
  const tested = standing === 'tested' ? 'tested' : `${standing} than tested`;
  return {
    id: name,
    ok: true,
    required: false,
    detail: `${executable}, version ${version} (${tested}; ${range}); ${login}`,
    fix: '',
  };
}

function speaksTo(name: AgentName, provider: ProviderFacts | undefined): string {
  if (provider === undefined) return '';
  const missing = provider.not_passed.join(', ');
  const variables =
    missing === ''
      ? ''
      : `set here and not passed: ${missing}; what it needs is passed with ${howToPass(name, ['VARIABLE'])}; `;
  return `talks to ${provider.hosts.join(', ')} (${provider.from}); ${variables}`;
}
