import path from 'node:path';
import { fileStep } from '../../../base/text/steps';
import { terminal } from '../../../base/text/marked/terminal';
import { done, refused, type Outcome } from '../../../base/outcome';
import { agentNames, type AgentName } from '../../../contracts/vocabulary/workers';
import { draftPlan, writeDraft, type Drafted } from '../../../engine/drafts/draft';
import { agentsHere } from '../../../engine/drafts/input';
import type { DraftPlan } from '../../../engine/drafts/judge';
import { defaultWorkerOfPlans } from '../../../engine/plans/check';
import type { DraftPorts } from '../../../engine/ports/drafts';
import { interruption } from '../../owner/interrupt';
import { agentWorkers } from '../../../workers/registry';
import { confinementOf, confinementOption } from '../../owner/confinement';
import { insideWorker, tellWritten } from '../../owner/decide';
import { actorOf, isInsideWorker, openPorts, workerOptions } from '../../owner/session';
import { UsageError, type Command, type Invocation } from '../../shell/command';
import { exitCodes, exitOfRefusal, type ExitCode } from '../../shell/output';
import { rightLine } from '../../../core/view/plan/approvalView';
import { printSection } from '../../show/approvalOverview';
import { findingDocument, printFindings } from '../../show/findings';

export const planDraft: Command = {
  summary: 'Have an agent draft a plan for a goal. It only reads, and what it drafts is a DRAFT.',
  details: [
    'Writes docs/plans/PLAN_<id>.json, never over another file. The agent gets the findings about its draft at most',
    'twice; a draft that is still not valid is written with its findings. Nothing runs before a person approves it.',
    'Ctrl+C ends the agent with its whole process tree.',
  ],
  options: {
    goal: { value: 'TEXT', help: 'What the plan is for, in words.' },
    file: { value: 'FILE', multiple: true, help: 'A file of the workspace that the agent is given with the goal.' },
    worker: {
      value: 'NAME',
      help: `The agent that drafts: ${agentNames.join(', ')} (default: ${defaultWorkerOfPlans}, or the only one that is installed).`,
    },
    by: { value: 'NAME', help: 'Who plans (default: your user name).' },
    ...confinementOption,
    ...workerOptions,
  },
  needs: ['goal'],
  async run(call) {
    const { out } = call;
    const named = agentOf(call);
    const asked = confinementOf(call);
    const actor = actorOf(call);
    if (await isInsideWorker(call.workspace))
      return out.refuse({
        ...insideWorker,
        reason: 'An agent cannot have plans drafted: what it starts would outlive its own end.',
      });
    const node = await openPorts(call);
    if (!node.ok) return out.refuse(node.refusal);
    const ports = { ...node.value.ports, drafts: node.value.drafts };
    const cancel = interruption();
    try {
      const worker = named === null ? await choose(ports) : done(named);
      if (!worker.ok) return out.refuse(worker.refusal);
      const { title } = agentWorkers[worker.value];
      const drafted = await draftPlan(
        {
          goal: call.text('goal') ?? '',
          files: call.texts('file').map((file) => call.file(file)),
          worker: worker.value,
          defaultWorker: defaultWorkerOfPlans,
          planner: actor.name,
          ...asked,
        },
        {
          cancel,
          saves: () => [],
          onLaunch: ({ number }) =>
            out.line(
              number === 1 ? terminal`${title} drafts; it only reads.` : terminal`${title} is given its findings.`,
            ),
        },
        ports,
      );
      if (!drafted.ok) return out.refuse(drafted.refusal, exitOfDraft(drafted.refusal.code));
      const plan = drafted.value.plan === null ? done(null) : await writeDraft(drafted.value.plan, ports);
      if (!plan.ok) return out.refuse(plan.refusal);
      if (plan.value) await tellWritten(call, path.join(call.workspace, plan.value.path));
      return printDraft(call, drafted.value, plan.value, worker.value);
    } finally {
      cancel.dispose();
      await node.value.close();
    }
  },
};

function printDraft(call: Invocation, drafted: Drafted, plan: DraftPlan | null, worker: AgentName): ExitCode {
  const { out } = call;
  const { valid, findings, dropped, notes, launches, rights } = drafted;
  const opens = rights.map(rightLine);
  printFindings(plan?.path ?? 'answer', findings, out);
  for (const note of notes) out.line(out.paint('yellow', note));
  if (dropped.length > 0)
    out.line(terminal`  left out, because an agent has no say in it: ${dropped.slice(0, 10).join(', ')}`);
  if (plan === null) {
    out.line(terminal`${out.paint('red', 'Not written')}: ${worker} answered ${launches} times with no plan.`);
    out.line(terminal`  next: say the goal in other words, or name another agent with --worker`);
  } else {
    out.line(
      terminal`${out.paint('green', 'Written')}: ${plan.path}, a DRAFT of ${worker}${valid ? '' : ', which is not valid'}`,
    );
    if (opens.length > 0) printSection({ title: 'What it opens', lines: opens }, out);
    out.line(
      valid
        ? terminal`  next: read it, then ${fileStep('plan approve', plan.path, '--by NAME')}`
        : terminal`  next: mend what was found, then mission plan validate ${plan.path}`,
    );
  }
  out.document({
    path: plan?.path ?? null,
    plan_id: plan?.plan_id ?? null,
    valid,
    findings: findings.map(findingDocument),
    worker,
    launches,
    left_out: dropped,
    opens: opens.map(({ text }) => text.toString()),
    notes,
  });
  return valid ? exitCodes.ok : exitCodes.failed;
}

async function choose(ports: Pick<DraftPorts, 'workers'>): Promise<Outcome<AgentName>> {
  const found = await agentsHere(ports);
  const usual = found.find((name) => name === defaultWorkerOfPlans) ?? (found.length === 1 ? found[0] : undefined);
  if (usual !== undefined) return done(usual);
  if (found.length > 1) {
    const reason = `Several agents are installed: ${found.join(', ')}.`;
    return refused('DRAFT_INPUT_INVALID', reason, 'Say which of them drafts, with --worker.');
  }
  return refused('WORKER_MISSING', 'No agent is installed here that could draft a plan.', 'mission doctor');
}

/** @throws UsageError */
function agentOf(call: Invocation): AgentName | null {
  const name = call.text('worker');
  if (name === null) return null;
  const agent = agentNames.find((candidate) => candidate === name);
  if (agent === undefined) throw new UsageError(`--worker ${name}: an agent drafts, one of ${agentNames.join(', ')}.`);
  return agent;
}

/** An agent had begun to draft in these failures, so they are no refusals. */
function exitOfDraft(code: string): ExitCode {
  const failures: readonly string[] = ['DRAFT_FAILED', 'DRAFT_CANCELED', 'NON_COMPLIANT', 'CONTEXT_CHANGED'];
  return failures.includes(code) ? exitCodes.failed : exitOfRefusal(code);
}
