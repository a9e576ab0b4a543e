import type { JSX } from 'preact';
import type { ShownMission } from '../../../src/contracts/page/panelView';
import { Fold, Part } from '../shell/fold';
import { Code, Text } from '../shell/text';

/** Shows what workers were denied, and what became of it. */
export function Recoveries({ view }: { readonly view: ShownMission['view'] }): JSX.Element | null {
  const recoveries = view.tasks.flatMap(({ task_id, recoveries = [] }) =>
    recoveries.map((recovery, index) => ({ task_id, key: `${task_id} ${recovery.attempt} ${index}`, ...recovery })),
  );
  if (recoveries.length === 0) return null;
  return (
    <Part name="recoveries" title="Permission recovery">
      <ul class="plainList">
        {recoveries.map(({ key, task_id, attempt, what, change, outcome, status }) => (
          <li key={key} data-status={status}>
            <b>
              <Text of={task_id} />, attempt {attempt}:
            </b>{' '}
            <Text of={what} />.{' '}
            {change.slice(0, 2).map((line) => (
              <>
                <Text of={line} />{' '}
              </>
            ))}
            <span class="dim">
              <Text of={outcome} />
            </span>
            {change.length > 2 ? (
              <Fold name={`lines ${key}`} title="Command lines before and after">
                {() =>
                  change.slice(2).map((line) => (
                    <p key={line}>
                      <Code of={line} />
                    </p>
                  ))
                }
              </Fold>
            ) : null}
          </li>
        ))}
      </ul>
    </Part>
  );
}
