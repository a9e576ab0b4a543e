import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Printed } from '../cli/cliBed';
import type { Habitat, ScenarioName, Seen } from './habitat';
import type { Ended, Place } from './place';
import { gateOf, planFile } from './planFile';

type Scenario = (place: Place, habitat: Habitat) => Promise<Seen>;

/**
 * What a person does in every habitat, in this order, through `mission` alone. Each leaves a workspace in which the next
 * can begin; `retry`, `hook` and what follows are only run with --all.
 */
export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  async sample(place, habitat) {
    const run = await approveAndRun(place, 'sample');
    const facts = [...(await inStatus(place, 'sample', run)), ...(await evidenceFacts(place, habitat, 'sample', run))];
    const packets = (run.json?.packets ?? []).map(({ path: packet }) => place.read(packet));
    const found = seen(run, facts);
    return { ...found, says: [found.says, ...packets].join('\n') };
  },

  async violation(place) {
    const run = await approveAndRun(place, 'violation');
    const status = await inStatus(place, 'violation', run);
    if (run.json?.status === 'blocked') await place.mission('cancel', 'violation', ...decision);
    const ended = await verified(place, 'violation');
    return seen(run, [...outOfScope(place, 'violation'), ...status, ...ended]);
  },

  async block(place) {
    const run = await approveAndRun(place, 'block');
    const facts = await Promise.all(
      (run.json?.packets ?? []).map(async ({ category, path: packet }) => {
        const check = await place.mission('check', 'recovery-packet', path.resolve(place.workspace, packet));
        return `packet ${category}${check.exit === 0 ? '' : ', not valid'}`;
      }),
    );
    return seen(run, [...facts, ...(await inStatus(place, 'block', run))]);
  },

  async retry(place, habitat) {
    writeFileSync(gate(place, 'block'), '');
    const run = missionOf(await place.mission('retry', 'block', 'T1', ...decision));
    return seen(run, [
      ...(await inStatus(place, 'block', run)),
      ...(await evidenceFacts(place, habitat, 'block', run)),
    ]);
  },

  async again(place) {
    place.write('docs/out/sample.txt', '');
    const run = await place.mission('run', planPath(place, 'sample'));
    const archived = place.names('docs/ops/executions/sample/archive').length;
    return seen(run, [`${archived} archived`, ...(await verified(place, 'sample'))]);
  },

  async hook(place) {
    const run = await approveAndRun(place, 'hook');
    const listed = outOfScope(place, 'hook').map((name) => name.replace(/^.*(?=\/post-merge$)/, 'hooks'));
    await acknowledged(place, run);
    return seen(run, [...listed, ...(await verified(place, 'hook'))]);
  },

  async cancel(place) {
    const running = await approveAndStart(place, 'cancel');
    if (await waits(place, 'cancel', running.ended)) await place.mission('cancel', 'cancel', ...decision);
    return seen(await running.ended, await verified(place, 'cancel'));
  },

  async kill(place) {
    const owner = await approveAndStart(place, 'kill');
    if (!(await waits(place, 'kill', owner.ended))) return seen(await owner.ended, []);
    if (owner.pid !== undefined) process.kill(owner.pid, 'SIGKILL');
    await owner.ended;
    const resumed = place.mission('resume', 'kill', ...decision);
    writeFileSync(gate(place, 'kill'), '');
    const run = missionOf(await resumed);
    const runs = place.exists('docs/out/kill.txt') ? place.read('docs/out/kill.txt') : '';
    return seen(run, [`${runs.split('\n').length - 1} executions`, ...(await verified(place, 'kill'))]);
  },

  async handoff(place) {
    const blocked = await approveAndRun(place, 'handoff');
    if (blocked.exit !== 3) return seen(blocked, []);
    const bundle = path.join(place.outside, 'bundle');
    const exported = await place.mission('handoff', 'export', 'handoff', '--out', bundle, '--move', ...decision);
    const check = await place.mission('check', 'handoff', path.join(bundle, 'bundle.json'));
    return seen({ ...exported, json: check.json }, [check.exit === 0 ? 'the bundle is valid' : 'no valid bundle']);
  },

  async 'handoff resume'(place) {
    const bundle = path.join(place.outside, 'bundle');
    // Like another clone, it has no journal of the run from here on: a run never goes on where it was given away.
    await place.sh('rm -rf "$WORK/.mission-control"');
    const resumed = await place.mission('handoff', 'resume', bundle, ...decision);
    const there = missionOf(resumed);
    if (there.exit !== 3) return seen(there, ['not blocked as it was']);
    writeFileSync(gate(place, 'handoff'), '');
    const retried = await place.mission('retry', there.json?.mission_id ?? '', 'T1', ...decision);
    return seen(missionOf(retried), await verified(place, 'handoff'));
  },

  async 'disk full'(place) {
    const running = await approveAndStart(place, 'full');
    if (!(await waits(place, 'full', running.ended))) return seen(await running.ended, ['it did not begin']);
    await place.sh('cat /dev/zero > "$WORK/../filled" 2> /dev/null || true');
    writeFileSync(gate(place, 'full'), '');
    const stopped = await running.ended;
    const told = /ENOSPC|no space|disk is full/i.test(stopped.stdout + stopped.stderr);
    await place.sh('rm "$WORK/../filled"');
    return seen(await mended(place, 'full', stopped), [
      stopped.exit === 0 ? 'it was not stopped' : told ? 'it told why' : `it did not tell why: ${stopped.stdout}`,
      ...(await verified(place, 'full')),
    ]);
  },
};

/** What the end of the mission, or of its owner, asks for once there is space again. */
async function mended(place: Place, id: string, stopped: Ended): Promise<Ended> {
  if (stopped.json?.status !== 'blocked') return missionOf(await place.mission('resume', id, ...decision));
  const verb = stopped.json.packets[0]?.category === 'verification_failed' ? 'rerun-validation' : 'retry';
  // The program of the task adds a line whenever it runs.
  if (verb === 'retry') place.write(`docs/out/${id}.txt`, '');
  return missionOf(await place.mission(verb, id, 'T1', ...decision));
}

const decision = ['--by', 'Grace', '--reason', 'because'] as const;

/** What a human verb says of the mission that it ran. */
function missionOf(ended: Ended): Ended {
  return { ...ended, json: ended.json?.mission ?? ended.json };
}

/** Approves and runs as a person does; where the approval is refused, that is what was seen. */
async function approveAndRun(place: Place, id: string): Promise<Ended> {
  const { ended } = await approveAndStart(place, id);
  return ended;
}

async function approveAndStart(place: Place, id: string): Promise<ReturnType<Place['start']>> {
  const approved = await place.mission('plan', 'approve', planPath(place, id), '--by', 'Ada', '--yes');
  // Exit code 4 without a refusal: the plan is approved, and the approval is not recorded here.
  return approved.exit === 0 || (approved.exit === 4 && approved.json?.code === undefined)
    ? place.start('run', planPath(place, id))
    : { pid: undefined, ended: Promise.resolve(approved) };
}

/** The path as a person types it where the commands are typed. */
function planPath({ cwd, workspace }: Place, id: string): string {
  return path.relative(cwd ?? workspace, path.resolve(workspace, planFile(id)));
}

function gate(place: Place, id: string): string {
  return gateOf(place.outside, id);
}

/** Returns whether the worker waits at its gate; false when the run ended before. */
async function waits(place: Place, name: string, ended: Promise<Ended>): Promise<boolean> {
  const over = ended.then(() => false);
  while (!existsSync(`${gate(place, name)}.waits`)) {
    const soon = new Promise<true>((go) => setTimeout(() => go(true), 25));
    if (!(await Promise.race([over, soon]))) return false;
  }
  return true;
}

/** `mission status` says of the mission what `mission run` said; nothing where it does. */
async function inStatus(place: Place, id: string, run: Ended): Promise<readonly string[]> {
  if (!run.json?.mission_id) return [];
  const { json } = await place.mission('status', id);
  const status = json?.missions[0]?.status;
  return status === run.json.status ? [] : [`mission status says ${status}`];
}

async function verified(place: Place, id: string): Promise<readonly string[]> {
  if (!place.exists(headerOf(id))) return [];
  const { exit, json } = await place.mission('evidence', 'verify', id);
  if (exit === 0) return ['evidence verifies'];
  return [`evidence does not verify: ${json?.findings.map(({ code }) => code).join(' ') ?? 'no answer'}`];
}

/** What the header says of the approval and the repository, where that is so. */
async function evidenceFacts(place: Place, habitat: Habitat, id: string, run: Ended): Promise<readonly string[]> {
  if (!place.exists(taskOf(id))) return run.json?.mission_id ? ['no evidence'] : [];
  const header = JSON.parse(place.read(headerOf(id))) as Printed;
  const task = JSON.parse(place.read(taskOf(id))) as Printed;
  const head =
    habitat.commit === 'none'
      ? null
      : await place.sh(`unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE; git -c safe.directory='*' rev-parse HEAD`);
  return [
    ...(await verified(place, id)),
    ...(habitat.commit === 'earlier' || task.commit_sha === head ? [] : [`commit ${task.commit_sha}, not ${head}`]),
    ...(header.approval_source === 'file' ? ['the approval was not recorded'] : []),
  ];
}

function headerOf(id: string): string {
  return `docs/ops/executions/${id}/EXECUTION_HEADER.json`;
}

function taskOf(id: string): string {
  return `docs/ops/executions/${id}/TASK_T1.json`;
}

/** Paths that the evidence of T1 holds against the worker. */
function outOfScope(place: Place, id: string): readonly string[] {
  const file = taskOf(id);
  if (!place.exists(file)) return [];
  const evidence = JSON.parse(place.read(file)) as {
    readonly attempts: readonly {
      readonly changes: readonly { readonly path: string; readonly in_scope: boolean }[];
    }[];
  };
  return evidence.attempts
    .flatMap(({ changes }) => changes.flatMap((change) => (change.in_scope ? [] : [change.path])))
    .sort();
}

/** After a failed mission nothing runs before a person has taken note. */
async function acknowledged(place: Place, run: Ended): Promise<void> {
  if (run.json?.mission_id) await place.mission('acknowledge', run.json.mission_id, ...decision);
}

function seen(run: Ended, facts: readonly string[]): Seen {
  const { json } = run;
  const refused = json?.accepted === false;
  const next = (json as { readonly next?: readonly string[] } | null)?.next ?? [];
  return {
    exit: run.exit,
    status: refused ? 'refused' : (json?.status ?? null),
    code: json?.code ?? null,
    facts,
    says: json === null ? run.stderr : [json.reason, ...next].join('\n'),
  };
}
