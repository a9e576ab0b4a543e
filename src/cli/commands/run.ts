import { jsonLimits } from '../../adapters/documents/json';
import { readRegularFile } from '../../adapters/files/regular';
import type { Finding } from '../../core/documents/finding';
import { defaultApprovalHours } from '../../contracts/vocabulary/plan';
import { namePlan, required, UsageError, type Command, type Invocation } from '../shell/command';
import { inForeground, insideWorker } from '../owner/decide';
import { exitCodes, exitOfRefusal, type ExitCode, refusalText, type Refused } from '../shell/output';
import { findingDocument, isUnreadable, printFindings } from '../show/findings';
import { confinementOf, optionsOf, confinementOption, orchestratorOf, orchestratorOption } from '../owner/confinement';
import { misplaced, otherWorkspace, planMeant, actorOf, isInsideWorker, workerOptions } from '../owner/session';
import { workerOf, workerOption } from './plan/planValidate';
import { quotedArguments } from '../../base/text/marked/visible';

export const run: Command = {
  takes: [required.runPlan],
  summary: 'Run an approved plan in the foreground, with progress.',
  details: [
    'PLAN is docs/plans/PLAN_<plan_id>.json of the workspace. Ctrl+C pauses after the current attempt (on a terminal',
    'it asks first); a second Ctrl+C exits at once and leaves the worker running, and `mission resume` attaches to it.',
    'With --json progress goes to stderr. The CLIs of the plan must be installed before anything starts, and with',
    '--confinement required also what builds the sandbox: `mission doctor` says whether it is.',
  ],
  options: {
    ...workerOption,
    'require-approval-record': { help: 'Refuse a plan whose exact bytes were not approved in this workspace.' },
    'approval-hours': {
      value: 'N',
      help: 'How long an approval of a plan of risk level 2 or 3 counts (default: 24); it counts for one mission.',
    },
    ...confinementOption,
    ...orchestratorOption,
    by: { value: 'NAME', help: 'Who runs it (default: your user name).' },
    ...workerOptions,
  },
  async run(call) {
    const { out } = call;
    const asked_at = new Date().toISOString();
    const [plan = ''] = call.positionals;
    const actor = actorOf(call);
    const default_worker = workerOf(call);
    const approval_hours = hoursOf(call.text('approval-hours'));
    const asked = { ...confinementOf(call), ...optionsOf(call), ...orchestratorOf(call) };
    if (await isInsideWorker(call.workspace))
      return refuse(
        call,
        { ...insideWorker, reason: 'A worker cannot start a mission: what it starts would outlive its own end.' },
        [],
        null,
      );
    const reading = await readRegularFile(call.file(plan), jsonLimits.planBytes);
    if (!reading.ok && isUnreadable(reading.code)) {
      const { code, message } = reading;
      const meant = code === 'FILE_NOT_FOUND' ? planMeant(call, plan) : null;
      const next = meant === null ? [namePlan] : [`Repeat the command with ${quotedArguments([meant])}.`];
      const finding = { code, severity: 'error', pointer: '', message } as const;
      return refuse(call, { code, reason: `${plan}: ${message}`, next }, [finding], null);
    }
    const own = await otherWorkspace(call);
    if (own !== null) return refuse(call, misplaced(own), [], null);
    const request = {
      plan_path: call.file(plan),
      actor,
      default_worker,
      require_approval_record: call.flag('require-approval-record'),
      approval_hours,
      asked_at,
      ...asked,
    };
    const ran = await inForeground(
      call,
      actor,
      (host) => host.start(request),
      ({ findings }) => printFindings(plan, findings, out),
    );
    if (ran.kind === 'unowned') return refuse(call, ran.refusal, [], null);
    if (ran.kind === 'refused') return refuse(call, ran.refusal, ran.findings, ran.plan_id);
    const { exit, result } = ran.ended;
    out.document(
      result ?? { accepted: false, code: 'UNEXPECTED', reason: 'The mission was lost.', next: ['mission status'] },
    );
    return exit;
  },
};

/** @throws UsageError */
function hoursOf(text: string | null): number {
  const hours = text === null ? defaultApprovalHours : Number(text);
  if (!(hours > 0 && hours <= 720))
    throw new UsageError('--approval-hours takes a number of hours above 0, and 720 at most.');
  return hours;
}

/** Refuses a run with the document of a mission that did not start. */
function refuse(call: Invocation, refusal: Refused, findings: readonly Finding[], plan_id: string | null): ExitCode {
  const { out } = call;
  const unreadable = findings.some(({ severity, code }) => severity === 'error' && isUnreadable(code));
  out.document({
    accepted: false,
    mission_id: null,
    plan_id,
    state: null,
    status: 'refused',
    ...refusal,
    tasks: [],
    evidence_dir: null,
    packets: [],
    findings: findings.map(findingDocument),
  });
  if (!out.json) out.note(refusalText(refusal));
  return unreadable ? exitCodes.refused : exitOfRefusal(refusal.code);
}
