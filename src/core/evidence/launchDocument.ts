import type { ArgumentChange, LaunchChange, RecoveryEvent } from '../../contracts/recoveryEvent';
import type { CacheChanges } from '../../contracts/launch';
import type { TaskEvidence } from '../../contracts/taskEvidence';
import type { LaunchFacts, Place, SandboxFacts } from './facts';
import { placed } from './placed';

type LaunchEvidence = NonNullable<TaskEvidence['attempts']>[number]['launches'][number];

/** One launch in TASK_<task_id>.json. */
export function launchDocument(facts: LaunchFacts, places: readonly Place[]): LaunchEvidence {
  return {
    launch_id: facts.launch_id,
    worker: facts.worker,
    cli_version: facts.cli_version,
    tested_range_ok: facts.tested_range_ok,
    argv: facts.argv.map((argument) => placed(argument, places)),
    confinement: facts.confinement,
    confinement_detail: placed(facts.confinement_detail, places),
    ...sandboxDocument(facts.sandbox, places),
    ...(facts.sandbox_state && { sandbox_state: facts.sandbox_state }),
    ...(facts.limits && { limits: { ...facts.limits } }),
    ...(facts.carried_over && { carried_over: facts.carried_over.map((one) => ({ ...one })) }),
    ...(facts.granted && {
      granted: facts.granted.map((one) => ({ ...one, directory: placed(one.directory, places) })),
    }),
    ...(facts.change && { change: changeDocument(facts.change, places) }),
    ...(facts.modes && { modes: facts.modes.map((mode) => ({ ...mode, path: placed(mode.path, places) })) }),
    ...(facts.speaks_to && {
      speaks_to: { hosts: [...facts.speaks_to.hosts], from: placed(facts.speaks_to.from, places) },
    }),
    env_names: [...facts.env_names],
    session_id: facts.session_id,
    model: facts.model,
    usage:
      facts.usage === null
        ? null
        : {
            input_tokens: facts.usage.input_tokens,
            cached_input_tokens: facts.usage.cached_input_tokens,
            output_tokens: facts.usage.output_tokens,
            cost_usd: facts.usage.cost_usd,
          },
    ...(facts.caches && { caches: cachesDocument(facts.caches, places) }),
    exit_code: facts.exit_code,
    signal: facts.signal,
    reason: facts.reason,
    ...(facts.did_not_exit && { did_not_exit: true }),
    run_dir: placed(facts.run_dir, places),
    started_at: facts.started_at,
    ended_at: facts.ended_at,
    stdout: facts.stdout === null ? null : { bytes: facts.stdout.bytes, sha256: facts.stdout.sha256 },
    stderr: facts.stderr === null ? null : { bytes: facts.stderr.bytes, sha256: facts.stderr.sha256 },
    ...(facts.error === undefined ? {} : { error: facts.error === null ? null : placed(facts.error, places) }),
    ...(facts.tree_gone === undefined ? {} : { tree_gone: facts.tree_gone }),
  };
}

export function cachesDocument(caches: CacheChanges, places: readonly Place[]): CacheChanges {
  const named = (all: readonly string[]): string[] => all.map((one) => placed(one, places));
  const { names, changed, left_out, trouble } = caches;
  return {
    ...caches,
    ...{ names: named(names), changed: named(changed), left_out: named(left_out) },
    trouble: trouble === null ? null : placed(trouble, places),
  };
}

export function sandboxDocument(
  sandbox: SandboxFacts | null | undefined,
  places: readonly Place[],
): Pick<LaunchEvidence, 'sandbox'> {
  if (!sandbox) return {};
  const { means, argv, coarser, held, layers, reach, network, hosts } = sandbox;
  const named = (all: readonly string[]): string[] => all.map((one) => placed(one, places));
  return {
    sandbox: {
      ...{ means, argv: named(argv), coarser: [...coarser] },
      ...(held && { held: named(held) }),
      ...(layers && {
        layers: {
          home: layers.home === null ? null : placed(layers.home, places),
          ...{ folder: placed(layers.folder, places), kept: placed(layers.kept, places) },
          caches: named(layers.caches),
          ...(layers.around && { around: named(layers.around) }),
        },
      }),
      ...(reach && { reach: { writable: named(reach.writable), read_only: named(reach.read_only) } }),
      ...{ network, ...(hosts && { hosts: [...hosts] }) },
    },
  };
}

/** A reaction to a denial in TASK_<task_id>.json. */
export function recoveryDocument(event: RecoveryEvent, places: readonly Place[]): RecoveryEvent {
  const { path, arguments: change, modes, why } = event.payload;
  return {
    ...event,
    payload: {
      ...event.payload,
      issue_detected: placed(event.payload.issue_detected, places),
      path: path === null ? null : placed(path, places),
      arguments: change && argumentsDocument(change, places),
      modes: modes.map((mode) => ({ ...mode, path: placed(mode.path, places) })),
      why: why === null ? null : placed(why, places),
    },
  };
}

function changeDocument({ reasons, arguments: change }: LaunchChange, places: readonly Place[]): LaunchChange {
  return {
    reasons: reasons.map((reason) => placed(reason, places)),
    arguments: change && argumentsDocument(change, places),
  };
}

function argumentsDocument(change: ArgumentChange, places: readonly Place[]): ArgumentChange {
  const line = (argv: readonly string[]): string[] => argv.map((argument) => placed(argument, places));
  return {
    before: line(change.before),
    after: line(change.after),
    removed: line(change.removed),
    added: line(change.added),
  };
}
