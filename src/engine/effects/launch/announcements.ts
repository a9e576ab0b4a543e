import { openedBy } from '../../../core/recovery/permission/record';
import { workPlaces } from '../../../contracts/vocabulary/confinement';
import type { Launch } from '../../../core/model/attempt';
import { writablePaths, type Tasks } from '../../../core/model/state';
import { judgeLiveChange, type LiveScope } from '../../../core/observation/liveScope';
import type { WorkerSignal } from '../../../contracts/launch';
import type { EnginePorts } from '../../ports/engine';
import { launchById } from './journalledLaunch';

/** Says where the worker of a launch may write; null: the launch runs a verify command. */
export function liveScopeOf(mission: Tasks, launchId: string, ports: EnginePorts): LiveScope | null {
  const { launch, row } = launchById(mission, launchId);
  if (launch.purpose.kind !== 'worker') return null;
  return {
    ...ports.paths.scope,
    ...row.scope,
    paths: writablePaths(row),
    granted: [
      ...ownPlaces(ports.paths.runDir(mission.mission_id, launch.run_dir), launch),
      ...(launch.adjustment ? openedBy(launch.adjustment).granted : []),
    ],
  };
}

/** The places of a launch outside the workspace that it may always write. */
export function ownPlaces(runDir: string, { prepared }: Pick<Launch, 'prepared'>): readonly string[] {
  // Inside bubblewrap /tmp is a private folder of the launch.
  return [`${runDir}/${workPlaces.folder}`, ...(prepared?.sandbox?.means === 'bubblewrap' ? ['/tmp'] : [])];
}

/** Gathers what the stream says that its worker wrote in the workspace; each path once, as many as a record may hold. */
export function announcements(scope: LiveScope | null): {
  saw(signal: WorkerSignal): void;
  paths(): readonly string[];
} {
  const paths = new Set<string>();
  let left = mostAnnounced;
  return {
    saw(signal) {
      if (signal.kind !== 'file_change' || scope === null) return;
      const { path } = judgeLiveChange(signal.path, scope);
      // A path outside the workspace is an absolute one.
      if (/^(\/|[A-Za-z]:)/.test(path) || paths.has(path) || path.length > left) return;
      left -= path.length;
      paths.add(path);
    },
    paths: () => [...paths],
  };
}

/** Characters of all paths together. What is left out counts as observed. */
const mostAnnounced = 128 * 1024;
