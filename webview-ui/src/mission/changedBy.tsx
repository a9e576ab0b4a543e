import type { JSX } from 'preact';
import { shownCode } from '../../../src/base/text/words';
import type { ClaimView, LinesView, PanelTask } from '../../../src/contracts/page/panelView';
import { inBrowser } from '../shell/host';
import { CodeWord, OpenLink, Text } from '../shell/text';
import { FileLink, noted, type NotedFile } from './files';

const listedAtMost = 10;

/**
 * Shows what a task changed; each file can be opened. Files that the task failed for come first, with the reason.
 * @param headline the mission's sentence, which this part does not repeat
 */
export function ChangedBy({
  task,
  claim,
  lines,
  headline,
}: {
  readonly task: PanelTask;
  readonly claim: ClaimView | null;
  readonly lines: LinesView | undefined;
  readonly headline: string;
}): JSX.Element {
  const failed = task.status === 'failed';
  const code = shownCode(task);
  const { files, others } = noted(task.changed, failed ? task.details : []);
  const listed = files.slice(0, Math.max(listedAtMost, files.filter(({ note }) => note !== null).length));
  return (
    <div class="changedBy" data-task-changed={task.task_id}>
      <b>
        <Text of={task.task_id} />
      </b>
      <div class="what">
        {failed ? (
          <p>
            {code === null ? null : <CodeWord of={code} />}{' '}
            {headline.includes(task.reason) ? null : <Text of={task.reason} />}
          </p>
        ) : null}
        <ul class={failed ? 'files' : 'files inline'}>
          {listed.map((file) => (
            <File key={file.file} task={task} file={file} />
          ))}
          {others.slice(0, listedAtMost).map((line) => (
            <li key={line} class="bad">
              <Text of={line} />
            </li>
          ))}
        </ul>
        {files.length > listed.length ? <span class="dim">and {files.length - listed.length} more</span> : null}
        {claim === null || claim.same ? null : (
          <p class="warn">
            Its result differs from what was found: <Text of={claim.text} />
          </p>
        )}
      </div>
      <Lines of={lines} />
      {task.changed.length === 0 || inBrowser() ? null : (
        <OpenLink target={{ kind: 'diff', task_id: task.task_id }} label={`Diff of ${task.task_id}`}>
          Diff
        </OpenLink>
      )}
    </div>
  );
}

/** Shows added lines before removed ones, in words for a screen reader. */
function Lines({ of }: { readonly of: LinesView | undefined }): JSX.Element | null {
  if (of === undefined) return null;
  const { added, removed, unknown } = of;
  const isKnown = added + removed > 0 || unknown === 0;
  return (
    <span class="lines" data-lines>
      {isKnown ? (
        <>
          <span class="good">
            {`+${added}`}
            <span class="hidden"> lines added,</span>
          </span>{' '}
          <span class="bad">
            {`−${removed}`}
            <span class="hidden"> lines removed</span>
          </span>
        </>
      ) : null}
      {unknown > 0 ? (
        <span class="dim">{`${isKnown ? ', ' : ''}${unknown} ${unknown === 1 ? 'file' : 'files'} unknown`}</span>
      ) : null}
    </span>
  );
}

function File({ task, file }: { readonly task: PanelTask; readonly file: NotedFile }): JSX.Element {
  return (
    <li>
      <FileLink task={task} file={file.file} index={file.index} />
      {file.note === null ? null : (
        <span class="bad">
          {' '}
          <Text of={file.note} />
        </span>
      )}
    </li>
  );
}
