import type { JSX } from 'preact';
import { clock } from '../../../src/base/text/amounts';
import { shownCode } from '../../../src/base/text/words';
import type { ShownMission, PanelTask, TaskRowView } from '../../../src/contracts/page/panelView';
import { FileLink } from '../mission/files';
import { inBrowser } from '../shell/host';
import { CodeWord, OpenLink, Text, shown } from '../shell/text';
import { Moment, useNow } from '../shell/time';
import { standingOf } from './taskWords';

/**
 * Shows everything known about a task: the reason for its state, its attempts, what was found, and where to read more.
 */
export function TaskDetails({
  task,
  row,
  view,
}: {
  readonly task: PanelTask;
  readonly row: TaskRowView;
  readonly view: ShownMission['view'];
}): JSX.Element {
  const packet = view.blocks.find((block) => block.task_id === task.task_id && block.packet_path !== null);
  const code = shownCode(task);
  return (
    <section
      class="taskDetails"
      data-section="details"
      data-details={task.task_id}
      aria-label={shown(`Task ${task.task_id}`)}
    >
      <p>
        <Text of={task.description} />
      </p>
      <p>
        <b>{standingOf(task).word}</b> {code === null ? null : <CodeWord of={code} />}{' '}
        {task.reason === '' ? null : <Text of={task.reason} />}
        {row.waits_for.length === 0 ? null : <Text of={` Waits for ${row.waits_for.join(', ')}.`} />}
      </p>
      <Lines of={task.details} tone="bad" />
      <div class="columns">
        <div>
          <Attempts row={row} />
          <Found task={task} row={row} />
        </div>
        <div>
          <h3>What the driver knows</h3>
          <dl class="facts">
            {(task.facts ?? []).map(({ name, value }) => (
              <>
                <dt>
                  <Text of={name} />
                </dt>
                <dd>
                  <Text of={value} />
                </dd>
              </>
            ))}
            <dt>May write</dt>
            <dd>
              <Text of={task.paths.length === 0 ? 'nothing' : task.paths.join(', ')} />
            </dd>
            {task.depends_on.length === 0 ? null : (
              <>
                <dt>After</dt>
                <dd>
                  <Text of={task.depends_on.join(', ')} />
                </dd>
              </>
            )}
            {task.confined === undefined ? null : (
              <>
                <dt>Held back</dt>
                <dd>
                  <Text of={task.confined} />
                </dd>
              </>
            )}
          </dl>
          <Named title="Left to observation" of={task.coarser ?? []} />
          <Named title="Was denied" of={task.denied ?? []} />
        </div>
      </div>
      <p class="links">
        <OpenLink target={{ kind: 'plan', task_id: task.task_id }}>Open in the plan</OpenLink>
        {task.ended_at === null ? null : (
          <>
            {' · '}
            <OpenLink target={{ kind: 'evidence', task_id: task.task_id }}>Open its evidence</OpenLink>
          </>
        )}
        {task.attempts === 0 || inBrowser() ? null : (
          <>
            {' · '}
            <OpenLink target={{ kind: 'diff', task_id: task.task_id }}>Review its changes</OpenLink>
          </>
        )}
        {packet === undefined ? null : (
          <>
            {' · '}
            <OpenLink target={{ kind: 'packet', packet_id: packet.packet_id }}>Open its recovery packet</OpenLink>
          </>
        )}
        {task.status === 'in_progress' && !inBrowser() ? (
          <>
            {' · '}
            <OpenLink target={{ kind: 'terminal', task_id: task.task_id }}>Show its terminal</OpenLink>
          </>
        ) : null}
      </p>
    </section>
  );
}

function Attempts({ row }: { readonly row: TaskRowView }): JSX.Element | null {
  const now = useNow(row.spans.some(({ to }) => to === null));
  if (row.spans.length === 0) return null;
  return (
    <>
      <h3>Attempts</h3>
      <ol class="spans">
        {row.spans.map((span) => (
          <li key={`${span.kind} ${span.from}`} data-kind={span.kind}>
            <span class="dim">
              <Moment at={span.from} />
            </span>{' '}
            <Text of={span.text} />{' '}
            <span class="dim">{clock((span.to === null ? now : Date.parse(span.to)) - Date.parse(span.from))}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

/** Shows what the runner found, beside what its worker claimed. */
function Found({ task, row }: { readonly task: PanelTask; readonly row: TaskRowView }): JSX.Element {
  return (
    <>
      <h3>What was found</h3>
      {task.changed.length === 0 ? (
        <p class="dim">No changed file.</p>
      ) : (
        <ul class="files">
          {task.changed.slice(0, 50).map((file, index) => (
            <li key={file}>
              <FileLink task={task} file={file} index={index} />
            </li>
          ))}
        </ul>
      )}
      {task.changed.length > 50 ? <p class="dim">and {task.changed.length - 50} more, in its evidence</p> : null}
      {row.claim === null ? null : (
        <p class={row.claim.same ? '' : 'warn'}>
          Claimed by its worker: <Text of={row.claim.text} />
        </p>
      )}
    </>
  );
}

function Named({ title, of }: { readonly title: string; readonly of: readonly string[] }): JSX.Element | null {
  if (of.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <Lines of={of} tone="" />
    </>
  );
}

function Lines({ of, tone }: { readonly of: readonly string[]; readonly tone: string }): JSX.Element | null {
  if (of.length === 0) return null;
  return (
    <ul class={`plainList ${tone}`}>
      {of.slice(0, 100).map((line) => (
        <li key={line}>
          <Text of={line} />
        </li>
      ))}
      {of.length > 100 ? <li>and {of.length - 100} more, in its evidence</li> : null}
    </ul>
  );
}
