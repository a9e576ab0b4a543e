import { mkdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { PlanFiles, PlanText } from '../../engine/ports/plans';
import { createFileAtomic, removeHalves, writeFileAtomic } from '../files/atomic';
import { areIgnored } from '../git/ignored';
import { systemClock } from '../system/clock';
import { editJson } from './edits';
import { readInstructions } from './instructions';
import { newPlanPlace } from './newPlanPlace';
import { projectFilesOf } from './project';
import { linksIn, lookAtPlaces } from './places';
import { readPolicyFiles } from './policyFiles';
import { jsonLimits, parseJsonText } from './json';
import { oneAtATime } from '../user/lock';
import { errorHelp } from '../../base/errorWords';
import { done, errorCode, errorMessage, refused, type Outcome } from '../../base/outcome';
import { readRegularFile } from '../files/regular';
import { checkShape } from './schemas';

/** Reads and writes plans in files, and parses plan text from elsewhere. */
export const planFiles: PlanFiles = {
  read: readPlan,
  parse: (content) => parseJsonText(typeof content === 'string' ? new TextEncoder().encode(content) : content),
  now: () => systemClock.now(),
  checkShape: (value) => checkShape('plan', value),
  ignored: areIgnored,
  places: lookAtPlaces,
  links: linksIn,
  instructions: readInstructions,
  policies: (folder) => readPolicyFiles(folder),
  project: projectFilesOf,
  edit: editJson,
  place: newPlanPlace,
  write: writePlan,
};

async function readPlan(file: string): Promise<PlanText> {
  const reading = await readRegularFile(file, jsonLimits.bytes);
  if (reading.ok) return parseJsonText(reading.bytes);
  return {
    sha256: null,
    canonical_sha256: null,
    bytes: null,
    value: undefined,
    findings: [{ code: reading.code, severity: 'error', pointer: '', message: reading.message }],
    locate: (findings) => findings,
  };
}

async function writePlan(
  file: string,
  content: Uint8Array | string,
  expectedSha256: string | null,
): Promise<Outcome<null>> {
  try {
    if (expectedSha256 === null) {
      const place = await newPlanPlace(file);
      if (!place.ok) return place;
      await mkdir(path.dirname(file), { recursive: true });
      return (await createFileAtomic(file, content, { mode: 0o644 }))
        ? done(null)
        : refused('PLAN_ID_REUSED', `${file} exists already.`, 'Choose another plan id.');
    }
    // Replaces the plan behind a symbolic link, not the link.
    const target = await realpath(file);
    return await oneAtATime('plan-writes', () => replacePlan(target, content, expectedSha256, file));
  } catch (error) {
    // The plan is gone, or a faster writer of it removed our temporary file.
    if (errorCode(error) === 'ENOENT' && expectedSha256 !== null) return changedMeanwhile(file);
    const hint = errorHelp(error, 'Check the permissions of the file and its folder.');
    return refused('PLAN_UNWRITABLE', `${file} could not be written (${errorMessage(error)}).`, hint);
  }
}

async function replacePlan(
  target: string,
  content: Uint8Array | string,
  expectedSha256: string,
  file: string,
): Promise<Outcome<null>> {
  const current = await readPlan(target);
  if (current.sha256 !== expectedSha256) return changedMeanwhile(file);
  await writeFileAtomic(target, content, { mode: (await stat(target)).mode & 0o777 });
  await removeHalves(target).catch(() => undefined); // the plan is written; a leftover does no harm
  return done(null);
}

function changedMeanwhile(file: string): Outcome<never> {
  return refused(
    'PLAN_HASH_MISMATCH',
    `${file} was changed by another program in the meantime.`,
    'Look at it again, then repeat the command.',
  );
}
