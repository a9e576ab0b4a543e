import type { OrchestratorAnswerFile, OrchestratorAsk, OrchestratorResult } from '../../../contracts/orchestratorTools';
import { orchestratorLimits } from '../../../contracts/vocabulary/orchestrator';
import type { Outcome } from '../../../base/outcome';
import type { Report } from '../../../core/model/inputs';
import { sessionOf, type Session } from '../../../core/model/session';
import type { ProposedDraft, SessionAsk } from '../../../core/model/sessionFacts';
import type { Mission, Progress } from '../../../core/model/state';
import type { EnginePorts } from '../../ports/engine';
import type { ReceivedRequest } from '../../ports/orchestrator';
import { artifactOf, missionFacts, packetFactsOf } from './orchestratorFacts';

/** Journals a report at once; returns the mission afterwards. */
type Tell = (report: Report) => Promise<Mission>;

/** Writes a proposed plan as a DRAFT. */
export type Propose = (asked: {
  readonly launch_id: string;
  readonly request_id: string;
  readonly plan: string;
  readonly reason: string;
}) => Promise<Outcome<ProposedDraft>>;

export interface Reporting {
  readonly tell: Tell;
  readonly now: () => Mission;
  readonly propose: Propose;
}

interface Asking {
  readonly launch_id: string;
  readonly run_dir: string;
}

/** A read at once, a change after the decision. Null: the session has ended, so no process waits for an answer. */
export async function answerRequest(
  request: ReceivedRequest,
  { launch_id, run_dir }: Asking,
  ports: EnginePorts,
  { tell, now: missionNow, propose }: Reporting,
): Promise<Session | null> {
  const { id } = request;
  const ask: OrchestratorAsk | Extract<SessionAsk, { tool: 'invalid' }> =
    request.kind === 'valid' ? request.ask : { tool: 'invalid', code: request.code, reason: request.reason };
  switch (ask.tool) {
    case 'status':
    case 'packet':
    case 'artifact': {
      // Reads the mission of this moment, because the session reads its own decision too. A person's decision ends the
      // session.
      const mission = missionNow();
      const session = sessionOf(mission, launch_id);
      if (session) await ports.orchestrator.answer(run_dir, await reading(id, ask, mission, session, ports));
      return session ?? null;
    }
    case 'revise_metadata':
    case 'propose_plan_revision':
    case 'choose_outcome':
    case 'invalid': {
      const now = await tell({
        type: 'OrchestratorHasAsked',
        launch_id,
        request_id: id,
        ask: await changing(ask, { launch_id, request_id: id }, propose),
      });
      const session = sessionOf(now, launch_id);
      const answered = session?.requests.find(({ request_id }) => request_id === id);
      if (!session || !answered) return null;
      const { accepted, code, reason, next } = answered;
      await ports.orchestrator.answer(
        run_dir,
        accepted
          ? answer(id, { facts: { recorded: true, note: reason }, untrusted: [] })
          : refusal(id, code, reason, next),
      );
      return session;
    }
  }
}

async function changing(
  ask: Exclude<OrchestratorAsk, { tool: 'status' | 'packet' | 'artifact' }> | Extract<SessionAsk, { tool: 'invalid' }>,
  asked: { readonly launch_id: string; readonly request_id: string },
  propose: Propose,
): Promise<SessionAsk> {
  switch (ask.tool) {
    case 'choose_outcome': {
      const { tool, outcome, reason, question, choices } = ask;
      return { tool, outcome, reason, ...(question !== undefined && { question }), ...(choices && { choices }) };
    }
    case 'invalid':
      return ask;
    case 'revise_metadata': {
      const { tool, task_id, changes, reason } = ask;
      return { tool, task_id, reason, changes };
    }
    case 'propose_plan_revision': {
      const { tool, plan, reason } = ask;
      const written = await propose({ ...asked, plan, reason });
      if (written.ok) return { tool, reason, ...written.value };
      const { code, reason: why, next } = written.refusal;
      return { tool: 'invalid', asked: tool, code, reason: why, next };
    }
  }
}

async function reading(
  id: string,
  ask: Extract<OrchestratorAsk, { tool: 'status' | 'packet' | 'artifact' }>,
  mission: Progress,
  session: Session,
  ports: EnginePorts,
): Promise<OrchestratorAnswerFile> {
  switch (ask.tool) {
    case 'status':
      return answer(id, missionFacts(mission, session));
    case 'packet': {
      const { facts, untrusted } = await packetFactsOf(mission, session, ports);
      return answer(id, { facts, untrusted });
    }
    case 'artifact': {
      const { name, offset = 0 } = ask;
      const page = await artifactOf(mission, session, { name, offset, limit: orchestratorLimits.artifactPage }, ports);
      return page
        ? answer(id, page)
        : refusal(id, 'EVIDENCE_MISSING', `The packet has no artifact ${JSON.stringify(name)}.`, [
            'Use a name from the list that the tool packet gives.',
          ]);
    }
  }
}

function answer(id: string, result: OrchestratorResult): OrchestratorAnswerFile {
  return { schema_version: '1.0.0', id, ok: true, result };
}

function refusal(id: string, code: string, reason: string, next: readonly string[]): OrchestratorAnswerFile {
  return { schema_version: '1.0.0', id, ok: false, code, reason, next: [...next] };
}
