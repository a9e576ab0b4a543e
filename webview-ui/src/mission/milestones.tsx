import type { JSX } from 'preact';
import type { ShownMission } from '../../../src/contracts/page/panelView';
import { Part } from '../shell/fold';
import { Text } from '../shell/text';

/** Shows the plan's milestones: who judges each, its state, and what was asserted. */
export function Milestones({ view }: { readonly view: ShownMission['view'] }): JSX.Element | null {
  const { milestones = [] } = view;
  if (milestones.length === 0) return null;
  return (
    <Part name="milestones" title="Milestones">
      <ul class="milestones">
        {milestones.map((milestone) => (
          <li key={milestone.id} data-milestone={milestone.id} data-state={milestone.state}>
            <b>
              <Text of={milestone.id} />
            </b>{' '}
            {milestone.title === milestone.id ? null : <Text of={milestone.title} />}{' '}
            <span class="dim">
              {milestone.ended} of {milestone.tasks.length} tasks
              {milestone.mode === null ? '' : ` · ${milestone.mode}`}
              {milestone.limit === null || milestone.failures === 0
                ? ''
                : ` · failed ${milestone.failures} of at most ${milestone.limit} times`}
            </span>
            <div>
              <Text of={milestone.sentence} />
            </div>
          </li>
        ))}
      </ul>
    </Part>
  );
}
