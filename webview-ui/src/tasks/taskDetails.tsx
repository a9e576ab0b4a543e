import type { JSX } from 'preact';
import { clock } from '../../../src/base/text/amounts';
import { shownCode } from '../../../src/base/text/words';
import type { OpenTarget } from '../../../src/contracts/page/pageMessage';
import type { ShownMission, PanelTask, TaskRowView } from '../../../src/contracts/page/panelView';
import { FileLink } from '../mission/files';
import { inBrowser } from '../shell/host';
import { CodeWord, Dotted, FactList, OpenLink, Text, Texts, shown, Moment, useNow } from '../shell/text';
import { standingOf } from './taskWords';

export interface DetailsProps {
  readonly task: PanelTask;
  readonly row: TaskRowView;
  readonly view: ShownMission['view'];
}

export function TaskDetails({ task, row, view }: DetailsProps): JSX.Element {
  const { task_id } = task;
  const packet = view.blocks.find((block) => block.task_id === task_id && block.packet_path !== null);
  return (
    <section class="taskDetails" data-section="details" data-details={task_id} aria-label={shown(`Task ${task_id}`)}>
      <Text as="p" of={task.description} />
      <p>
        <b>{standingOf(task).word}</b> <CodeWord of={shownCode(task)} /> <Text of={task.reason || null} />
        <Text of={row.waits_for.length === 0 ? null : ` Waits for ${row.waits_for.join(', ')}.`} />
      </p>
      <Lines of={task.details} tone="bad" />
      <div class="columns">
        <div>
          <Attempts row={row} />
          <Found task={task} row={row} />
        </div>
        <div>
          <h3>What the driver knows</h3>
          <FactList
            of={[
              ...(task.facts ?? []).map(({ name, value }) => [name, value] as const),
              ['May write', task.paths.length === 0 ? 'nothing' : task.paths.join(', ')],
              ['After', task.depends_on.length === 0 ? null : task.depends_on.join(', ')],
              ['Held back', task.confined],
            ]}
          />
          <Named title="Left to observation" of={task.coarser ?? []} />
          <Named title="Was denied" of={task.denied ?? []} />
        </div>
      </div>
      <p class="links">
        <Dotted
          of={[
            opens({ kind: 'plan', task_id }, 'Open in the plan'),
            task.ended_at !== null && opens({ kind: 'evidence', task_id }, 'Open its evidence'),
            task.attempts > 0 && !inBrowser() && opens({ kind: 'diff', task_id }, 'Review its changes'),
            packet !== undefined && opens({ kind: 'packet', packet_id: packet.packet_id }, 'Open its recovery packet'),
            task.status === 'in_progress' && !inBrowser() && opens({ kind: 'terminal', task_id }, 'Show its terminal'),
          ]}
        />
      </p>
    </section>
  );
}

function opens(target: OpenTarget, words: string): JSX.Element {
  return <OpenLink target={target}>{words}</OpenLink>;
}

function Attempts({ row }: Pick<DetailsProps, 'row'>): JSX.Element | null {
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
function Found({ task, row }: Pick<DetailsProps, 'task' | 'row'>): JSX.Element {
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
      <Texts as="li" of={of.slice(0, 100)} />
      {of.length > 100 ? <li>and {of.length - 100} more, in its evidence</li> : null}
    </ul>
  );
}
