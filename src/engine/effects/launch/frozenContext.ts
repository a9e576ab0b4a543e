import { projectFile } from '../../../contracts/vocabulary/aiProject';
import { listAt, objectAt, parsedJson, textAt } from '../../../base/json';
import { done, refused, type Outcome } from '../../../base/outcome';
import { lockedIntent } from '../../../core/context/tier0';
import { laneOf } from '../../../core/model/lanes';
import type { Tasks } from '../../../core/model/state';
import type { PlannedTask } from '../../../core/plan/approvedPlan';
import type { PromptContext } from '../../../workers/shared/prompt';
import type { EnginePorts } from '../../ports/engine';

/**
 * Returns what the worker is given of the snapshot that phase 2 froze: its kept bytes, as long as they and the file
 * they came from are what was frozen. Source: seed 004, context mutation.
 */
export async function frozenContext(
  mission: Tasks,
  task: PlannedTask,
  ports: EnginePorts,
): Promise<Outcome<PromptContext | null>> {
  const lane = laneOf(mission, task.task_id);
  if (!lane?.context) return done(null);
  const { kept, snapshot_sha256, project_sha256 } = lane.context;
  const file = await ports.evidence.read(kept);
  if (!file.ok) return file;
  if (file.value?.sha256 !== snapshot_sha256)
    return refused(
      'CONTEXT_CHANGED',
      `The context that was frozen for this task is ${file.value ? 'not the one that is kept' : 'gone'} (${kept}).`,
      'Find out who changed it, then retry the task.',
    );
  if (project_sha256 !== null) {
    const now = await ports.project.read(lockedIntent(lane, task));
    if (now.kind !== 'read' || now.text.sha256 !== project_sha256)
      return refused(
        'CONTEXT_CHANGED',
        `${projectFile} changed after the context of this task was frozen.`,
        'Retry the task, so that it is read again.',
      );
  }
  const snapshot = parsedJson(file.value.text);
  const project = objectAt(objectAt(snapshot, 'project'), 'document');
  const entries = listAt(objectAt(snapshot, 'restore'), 'entries') ?? [];
  return done({
    project: project === null ? null : JSON.stringify(project, null, 2),
    answers: (listAt(snapshot, 'answers') ?? []).flatMap((entry) => {
      const question = textAt(entry, 'question');
      const answer = textAt(entry, 'answer');
      return question === null || answer === null ? [] : [{ question, answer }];
    }),
    notes: {
      person: textAt(objectAt(snapshot, 'note_of_a_person'), 'text'),
      orchestrator: textAt(objectAt(snapshot, 'note_of_the_orchestrator'), 'text'),
    },
    instructions: (listAt(snapshot, 'instructions') ?? []).flatMap((entry) => {
      const path = textAt(entry, 'path');
      const text = textAt(entry, 'text');
      return path === null || text === null ? [] : [{ path, text }];
    }),
    memory: entries.length === 0 ? null : JSON.stringify(entries, null, 2),
  });
}
