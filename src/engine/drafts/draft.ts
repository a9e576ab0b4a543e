import { done, refused, type Outcome } from '../../base/outcome';
import { attribute } from '../../core/observation/attribute';
import { draftExample } from '../../core/plan/draftExample';
import { planPathOf } from '../../core/plan/template';
import { agentDraft } from '../../core/plan/agentDraft';
import { draftPrompt, type PreviousDraft } from '../../workers/shared/draftPrompt';
import type { Canceling, DraftPorts, SavesSince } from '../ports/drafts';
import { agentsHere, factsOfWorkspace, filesOf, type DraftRequest } from './input';
import { judgeAnswer, type DraftPlan, type JudgedDraft } from './judge';
import { askAgent, type Answered, type DraftSession } from './session';

/** So many times at most an agent gets the findings about its draft. */
const repairs = 2;

/** What a person gets to see of a draft. */
export interface Drafted extends JudgedDraft {
  readonly launches: number;
  /** What else a person should know, one sentence each. */
  readonly notes: readonly string[];
}

export interface DraftOptions {
  readonly cancel: Canceling;
  readonly saves: SavesSince;
  readonly onLaunch: DraftSession['onLaunch'];
}

/** Writes nothing in the workspace. Findings go back at most twice; a draft of a changed workspace is discarded. */
export async function draftPlan(
  request: DraftRequest,
  options: DraftOptions,
  ports: DraftPorts,
): Promise<Outcome<Drafted>> {
  const draft_id = `draft-${ports.ids.uuid()}`;
  try {
    return await drafted(draft_id, request, options, ports);
  } finally {
    await ports.drafts.forgetDraft(draft_id);
  }
}

/** Says whether an agent may draft here now, also before a person types a goal. @param own id of the draft; null: none yet */
export async function mayDraft(
  own: string | null,
  ports: Pick<DraftPorts, 'startsHeld' | 'plans' | 'paths' | 'drafts'>,
): Promise<Outcome<null>> {
  const hold = await ports.startsHeld();
  if (hold) return { ok: false, refusal: hold };
  // An agent would be paid for a draft that cannot be kept.
  const place = await ports.plans.place(ports.paths.absolute(planPathOf('draft')));
  if (!place.ok) return place;
  if (await ports.drafts.othersAtWork(own ?? '', null))
    return refused(
      'MISSION_ACTIVE',
      'A worker is at work in this workspace: its changes could not be distinguished from those of the drafting agent.',
      'Wait until it has ended, or pause its mission.',
    );
  return done(null);
}

async function drafted(
  draft_id: string,
  request: DraftRequest,
  { cancel, saves, onLaunch }: DraftOptions,
  ports: DraftPorts,
): Promise<Outcome<Drafted>> {
  const free = await mayDraft(draft_id, ports);
  if (!free.ok) return free;
  const files = await filesOf(request, ports);
  if (!files.ok) return files;
  const goal = ports.drafts.redact(request.goal);
  const notes =
    goal === request.goal ? [] : ['The goal held what looks like a secret; the agent was given it without.'];
  const executed = await ports.evidence.executions();
  if (!executed.ok) return executed;
  const input = {
    ...{ goal, files: files.value, defaultWorker: request.defaultWorker },
    facts: ports.drafts.redact(await factsOfWorkspace(ports)),
    example: JSON.stringify(draftExample(request.worker), null, 2),
    agents: await agentsHere(ports),
  };
  await ports.drafts.recordDraft(draft_id);
  const before = await ports.workspace.baseline({ mission_id: draft_id, forbidden_paths: [] });
  if (!before.ok) return before;
  let previous: PreviousDraft | null = null;
  let judged: JudgedDraft | null = null;
  for (let number = 1; number <= 1 + repairs; number += 1) {
    const prompt = ports.drafts.redact(draftPrompt({ ...input, previous }));
    const answered = await askAgent(
      { draft_id, number, request: { ...request, goal }, prompt, cancel, onLaunch },
      ports,
    );
    const changed = await changesOf(answered, { draft_id, number, ...before.value, saves }, ports);
    if (changed) return changed;
    if (!answered.ok) return answered;
    // Read only now, because another draft may have been made meanwhile.
    const taken = [...executed.value, ...(await ports.drafts.planIds())];
    judged = await judgeAnswer(answered.value.summary, { ...request, goal }, taken, ports);
    if (judged.valid) return done({ ...judged, launches: number, notes });
    previous = {
      text: judged.plan?.text ?? null,
      findings: judged.findings
        .filter(({ severity }) => severity === 'error')
        .slice(0, 40)
        .map(({ code, pointer, message }) => `${code}${pointer === '' ? '' : ` at ${pointer}`}: ${message}`),
    };
  }
  if (!judged) throw new Error('Broken invariant: an agent was never asked.');
  return done({ ...judged, launches: 1 + repairs, notes });
}

/** Writes the draft as a new file; takes another id where a plan of that id exists by now. */
export async function writeDraft(
  plan: DraftPlan,
  { plans, paths }: Pick<DraftPorts, 'plans' | 'paths'>,
): Promise<Outcome<DraftPlan>> {
  const { plan_id, text } = plan;
  for (let number = 1; number <= 50; number += 1) {
    const id = number === 1 ? plan_id : `${plan_id.slice(0, 70)}-${number}`;
    const path = planPathOf(id);
    const renamed = number === 1 ? text : withId(text, id);
    const written = await plans.write(paths.absolute(path), renamed, null);
    if (written.ok) return done({ plan_id: id, path, text: renamed });
    if (written.refusal.code !== 'PLAN_ID_REUSED') return written;
  }
  const step = 'Move earlier drafts away, then draft again.';
  return refused('PLAN_ID_REUSED', `Plans named ${plan_id} exist already.`, step);
}

function withId(text: string, plan_id: string): string {
  const plan = JSON.parse(text) as { readonly created_at: string; readonly planner: string };
  return `${JSON.stringify(agentDraft({ ...plan }, { ...plan, plan_id }).plan, null, 2)}\n`;
}

/** One launch of a draft, and the workspace before the first one. */
interface LookedAt {
  readonly draft_id: string;
  readonly number: number;
  readonly manifest_sha256: string;
  readonly head: string | null;
  readonly saves: SavesSince;
}

/** Says why the draft is discarded, because the workspace changed while its agent ran; null: it did not. */
async function changesOf(
  answered: Outcome<Answered>,
  { draft_id, number, manifest_sha256, head, saves }: LookedAt,
  ports: DraftPorts,
): Promise<Outcome<never> | null> {
  const looked = await ports.workspace.difference({
    mission_id: draft_id,
    baseline_sha256: manifest_sha256,
    run_dir: ports.paths.runDir(draft_id, `${number}-draft`),
    forbidden_paths: [],
    only_look: true,
  });
  if (!looked.ok) return answered.ok ? looked : null;
  const { changes } = looked.value;
  if (changes.length > 0) await ports.savesReported();
  const times = answered.ok ? answered.value : null;
  const attributed = attribute({
    changes,
    paths: [],
    forbidden_paths: [],
    worker_started_at: times?.started_at ?? null,
    worker_ended_at: times?.ended_at ?? null,
    external_saves: saves(),
    comparison: ports.paths.scope.comparison,
  }).filter(({ attribution }) => attribution !== 'external_change');
  const paths = attributed.map(({ path }) => path);
  if (looked.value.head !== head && !paths.some((path) => path.includes('.git'))) paths.push('HEAD');
  if (paths.length === 0) return null;
  const named = `${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ` and ${paths.length - 5} more` : ''}`;
  if (!answered.ok) {
    const { code, reason, next } = answered.refusal;
    return refused(code, `${reason} The workspace changed meanwhile: ${named}.`, ...next);
  }
  const its = attributed.some(({ violation }) => violation !== null);
  if (its && !answered.value.sandboxed && !(await ports.drafts.othersAtWork(draft_id, answered.value.started_at)))
    return refused(
      'NON_COMPLIANT',
      `The workspace changed while the agent ran that may only read: ${named}. Nothing shows who changed it. The draft was discarded; the changes are left as they are.`,
      'Look at them, and put back what should not be there.',
    );
  const why = `The workspace changed while the plan was drafted, and not by a save in this editor: ${named}. The draft was discarded.`;
  return refused('CONTEXT_CHANGED', why, 'Draft it again while nothing else writes there.');
}
