import { isObject } from '../../base/json';
import type { Finding } from '../../core/documents/finding';
import { agentDraft, freePlanId } from '../../core/plan/agentDraft';
import { approvedPlanOf } from '../../core/plan/normalize';
import type { Right } from '../../core/plan/fields/right';
import { rightsAskedFor } from '../../core/plan/approvalSummary';
import { planPathOf } from '../../core/plan/template';
import { claimedText } from '../../workers/shared/resultPacket';
import type { StreamSummary } from '../../contracts/launch';
import { asApproved } from '../plans/approval';
import { checkEditedPlan } from '../plans/check';
import type { DraftPorts } from '../ports/drafts';
import type { DraftRequest } from './input';

export interface JudgedDraft {
  /** Null: the answer is no JSON object, so there is nothing to write. */
  readonly plan: DraftPlan | null;
  /** Valid but for its approval. */
  readonly valid: boolean;
  readonly findings: readonly Finding[];
  /** JSON pointers of the fields that were left out, because the agent does not decide them. */
  readonly dropped: readonly string[];
  /** All that the draft asks for, the largest first; empty where it is not valid. */
  readonly rights: readonly Right[];
}

export interface DraftPlan {
  readonly plan_id: string;
  /** POSIX, relative to the workspace. */
  readonly path: string;
  /** The bytes to write; ends with a line feed. */
  readonly text: string;
}

/** Judges an answer by everything that a plan is judged by. Any answer leads to findings, never to an exception. */
export async function judgeAnswer(
  summary: Pick<StreamSummary, 'structured' | 'lastMessage'>,
  request: DraftRequest,
  taken: readonly string[],
  ports: Pick<DraftPorts, 'plans' | 'clock' | 'paths' | 'drafts'>,
): Promise<JudgedDraft> {
  const claimed = claimedText(summary);
  if (!claimed.found) return noPlan([{ code: 'JSON_SYNTAX', severity: 'error', pointer: '', message: claimed.detail }]);
  const answer = ports.plans.parse(claimed.text);
  const { value } = answer;
  if (value === undefined) return noPlan(answer.findings);
  if (!isObject(value))
    return noPlan([
      {
        code: 'SCHEMA_INVALID',
        severity: 'error',
        pointer: '',
        message: 'The answer is JSON, but no object: a plan is one.',
      },
    ]);
  const plan_id = freePlanId(value['plan_id'], request.goal, taken);
  const planner = `${request.planner} with ${request.worker}`;
  const draft = agentDraft(value, { plan_id, created_at: ports.clock.now(), planner });
  const written = JSON.stringify(draft.plan);
  const plan = withoutSecrets(draft.plan, ports.drafts.redact);
  const secret: readonly Finding[] =
    JSON.stringify(plan) === written
      ? []
      : [
          {
            code: 'SECRET_IN_PLAN',
            severity: 'error',
            pointer: '',
            message: 'A text looked like a secret and was left out.',
          },
        ];
  const path = planPathOf(plan_id);
  const text = `${JSON.stringify(plan, null, 2)}\n`;
  const found = await findingsOf(text, path, request, ports);
  // Includes findings about the answer itself, because the written text has lost doubled keys and secrets.
  const findings = [...answer.findings.map(inAnswer), ...secret, ...found.findings];
  return {
    plan: { plan_id, path, text },
    valid: found.valid && !findings.some(({ severity }) => severity === 'error'),
    findings,
    dropped: draft.dropped,
    rights: found.rights,
  };
}

async function findingsOf(
  text: string,
  path: string,
  { defaultWorker, confinement }: DraftRequest,
  { plans, paths, clock }: Pick<DraftPorts, 'plans' | 'clock' | 'paths'>,
): Promise<Pick<JudgedDraft, 'valid' | 'findings' | 'rights'>> {
  const file = paths.absolute(path);
  const options = {
    defaultWorker,
    looksAtProject: true,
    workspaceDir: paths.workspace_dir,
    ...(confinement && { confinement }),
  };
  const check = await checkEditedPlan(plans, text, file, options);
  const approval = asApproved(plans, check, file, clock.now(), options);
  return {
    valid: approval.ok,
    findings: approval.findings,
    rights: approval.ok ? rightsAskedFor(approvedPlanOf(approval.plan, { defaultWorker })) : [],
  };
}

/** Drops line and column, because those of the answer are not those of the written text. */
function inAnswer({ code, severity, pointer, message }: Finding): Finding {
  return { code, severity, pointer, message };
}

function noPlan(findings: readonly Finding[]): JudgedDraft {
  return { plan: null, valid: false, findings, dropped: [], rights: [] };
}

/** Recurses without a limit, because the reader of the answer has bounded its depth. */
function withoutSecrets(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, redact));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [redact(key), withoutSecrets(item, redact)]));
}
