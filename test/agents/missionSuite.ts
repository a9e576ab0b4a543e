import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Context } from 'mocha';
import type { AgentName } from '../../src/contracts/vocabulary/workers';
import { skipWithReason } from '../support/skip';
import { makePlace } from './homes';
import type { AgentPlace } from './homes';
import { namespacesWork } from './machine';
import { makeMission, missionProgram } from './missionRun';
import type { MissionBed, MissionOptions, ProgramEnd } from './missionRun';
import { startMockModel } from './mockModel';
import type { MockModel, ModelScript, ModelTurn } from './mockModel';
import { shellTurn, writeFileTurn } from './turns';

/** A mission about to start: its place, the model that will answer, and the file T1 is meant to write. */
export interface Stage {
  readonly place: AgentPlace;
  readonly model: MockModel;
  readonly bed: MissionBed;
  /** `src/hello.txt` in the workspace, absolute. */
  readonly file: string;
  /** What to show when an assertion fails. */
  readonly failureText: (end: ProgramEnd) => string;
}

/** The model's lines, once it is known where the test takes place. */
export type StageScript = (place: AgentPlace, file: string) => ModelScript;

/** Makes stages for one suite and ends their models; call inside a `describe`. */
export function stages(
  agent: AgentName,
): (name: string, script: StageScript, options?: MissionOptions) => Promise<Stage> {
  let ends: (() => Promise<void>)[] = [];
  before(function () {
    requireMission(this, agent);
  });
  afterEach(async () => {
    const started = ends;
    ends = [];
    for (const end of started.reverse()) await end();
  });
  return async (name, script, options = {}) => {
    const place = await makePlace(`${agent}-mission-${name}`, options.base);
    const file = path.join(place.workspace, 'src', 'hello.txt');
    const model = await startMockModel({ '': script(place, file) });
    ends.push(() => model.stop());
    const bed = await makeMission(agent, place, model.url, options);
    ends.push(() => bed.endLeftovers());
    return { place, model, bed, file, failureText: (end) => `${end.stdout}\n${end.stderr}`.slice(-6000) };
  };
}

/** Skips the suite, with its reason, where this machine cannot do what it needs. */
export function requireMission(context: Context, agent: AgentName): void {
  if (!existsSync(missionProgram))
    skipWithReason(context, 'dist/cli.js is not there: this build has no `mission` program');
  const problem = agent === 'codex' ? namespacesWork() : null;
  if (problem !== null) skipWithReason(context, `Codex needs user namespaces for its sandbox: ${problem}`);
}

/** A write that the CLI itself reports while it goes on working: Codex does so for patches, not for its shell. */
export function reportedWriteTurn(agent: AgentName, place: AgentPlace, relative: string): ModelTurn {
  if (agent !== 'codex') return writeFileTurn(agent, path.join(place.workspace, relative), 'x\n');
  return shellTurn(agent, `apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ${relative}\n+x\n*** End Patch\nEOF\n`);
}
