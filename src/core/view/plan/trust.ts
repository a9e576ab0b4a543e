import type { EvidenceVerdict, TrustFact, TrustLine } from '../../../contracts/page/panelView';
import { evidenceDir } from '../../evidence/places';
import type { Launch } from '../../model/attempt';
import type { ReceivedPlan } from '../../model/envelopeEvents';
import type { Progress } from '../../model/state';

export interface TrustFacts {
  /** Digest of the plan file now; null: the file is gone; absent: not read. */
  readonly plan_now?: string | null;
  /** The last verdict about the evidence; absent: it was not verified. */
  readonly evidence?: EvidenceVerdict;
  /** The journal came from another user, machine or workspace, so what it says of an approval counts there alone. */
  readonly elsewhere?: boolean;
}

export function trustLine(mission: Progress, facts: TrustFacts): TrustLine {
  return {
    approved: approvedFact(mission, facts),
    plan: planFact(mission, facts.plan_now),
    confinement: confinementFact(mission),
    evidence: facts.evidence ?? notVerified(mission),
  };
}

function approvedFact({ approved_here: here, plan }: ReceivedPlan, { elsewhere }: TrustFacts): TrustFact {
  if (here && elsewhere) {
    const text = `Approved elsewhere by ${here.by}`;
    return {
      standing: 'plain',
      text,
      whole: `${text}, as this journal says; nothing on this machine does`,
      at: here.at,
    };
  }
  if (here) return { standing: 'good', text: `Approved by ${here.by}`, at: here.at };
  if (plan.approved_by === null) {
    const text = 'Not known who approved it';
    return { standing: 'unknown', text, whole: `${text}: its plan does not say, and nothing on this machine does` };
  }
  const text = `Approved by ${plan.approved_by}, says its plan`;
  return { standing: 'plain', text, whole: `${text}; no record of it on this machine` };
}

function planFact(mission: Progress, now: string | null | undefined): TrustFact {
  const plan = `Plan ${mission.plan_sha256.slice(0, 8)}`;
  // A plan file may change once its mission has ended.
  const standing = mission.ending ? 'plain' : 'bad';
  if (now === undefined) return { standing: 'unknown', text: `${plan}, not compared with its file` };
  if (now === null) return { standing, text: `${plan}: its file is gone` };
  if (now.toUpperCase() === mission.plan_sha256.toUpperCase()) return { standing: 'good', text: `${plan} unchanged` };
  return { standing, text: `${plan} ${mission.ending ? 'changed since' : 'changed: its file is not what was locked'}` };
}

function confinementFact(mission: Progress): TrustFact {
  const attempts = [...mission.rows.flatMap((row) => row.attempts), ...mission.lanes];
  const launches = attempts.flatMap((attempt) => attempt.launches.filter(({ prepared }) => prepared !== null));
  const workers = launches.filter(({ purpose }) => purpose.kind === 'worker');
  if (workers.length === 0) return { standing: 'unknown', text: asked(mission) };
  const confined = workers.filter(({ prepared }) => prepared?.confinement === 'task_sandbox');
  const means = [...new Set(confined.flatMap(({ prepared }) => prepared?.sandbox?.means ?? []))].sort();
  const by = means.length === 0 ? '' : ` by ${means.join(' and ')}`;
  if (confined.length === workers.length) {
    const text = `Workers confined${by}${withoutNetwork(launches) ? ', no network for verify' : ''}`;
    return { standing: 'good', text, whole: `${text}; each may write the approved paths of its task alone` };
  }
  if (confined.length > 0)
    return {
      standing: 'plain',
      text: `${confined.length} of ${workers.length} workers confined${by}, the others observed`,
    };
  const own = workers.every(({ prepared }) => prepared?.confinement === 'os_sandbox');
  return {
    standing: 'plain',
    text: own ? 'Workers held by the sandboxes of their CLIs, and observed' : 'Workers not confined, only observed',
  };
}

function asked({ confinement, ending }: Progress): string {
  if (ending) return 'No worker was launched';
  return confinement === 'required' ? 'Workers have to be confined; none was launched' : 'No worker was launched yet';
}

/** Returns true if the verify commands had no network; false where none has run. */
function withoutNetwork(launches: readonly Launch[]): boolean {
  const verify = launches.filter(({ purpose }) => purpose.kind === 'verify');
  return verify.length > 0 && verify.every(({ prepared }) => prepared?.sandbox?.network === false);
}

function notVerified(mission: Progress): EvidenceVerdict {
  const dir = mission.header_written ? evidenceDir(mission.plan.plan_id) : null;
  const text = !dir ? 'No evidence yet' : mission.ending ? 'Evidence not verified yet' : 'Evidence in progress';
  return { standing: 'unknown', text, dir, findings: [] };
}
