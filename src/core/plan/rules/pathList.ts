import { quoted, textsAt, type JsonObject } from '../../../base/json';
import { reservedFolderOf } from '../../paths/reserved';
import { pathProblems, readWrittenPath } from '../../paths/writtenPath';
import type { AddPlanFinding } from './judgedTask';

/** A list of paths of `execution`, by its text alone. `unfit`: what is wrong with a reserved folder, "which ...". */
export function judgePathList(
  execution: JsonObject | null,
  { name, unfit }: { readonly name: 'project_instructions' | 'scratch'; readonly unfit: string },
  report: AddPlanFinding,
): void {
  for (const [text, index] of textsAt(execution, name)) {
    const pointer = `/execution/${name}/${index}`;
    const reading = readWrittenPath(text);
    if (!reading.ok) {
      report('PATH_INVALID', pointer, `${quoted(text)} ${pathProblems[reading.problem]}.`);
      continue;
    }
    const reserved = reservedFolderOf(reading.path);
    if (reserved !== null)
      report('PATH_RESERVED', pointer, `${quoted(text)} lies in ${reserved}, which ${unfit}; remove it.`);
  }
}
