import type { JSX } from 'preact';
import { confinementShort, confinementWords } from '../../../src/base/text/words';
import { menuSections } from '../../../src/contracts/page/menuKeys';
import { outputText, silentText, type LiveWorkerView } from '../../../src/contracts/page/liveView';
import type { ShownMission } from '../../../src/contracts/page/panelView';
import { shortUsage } from '../../../src/base/text/amounts';
import { Part, OpenLink, Text, shown, Moment, Since, useNow } from '../shell/text';
import { menuContext } from '../shell/menus';
import { usePage, inBrowser } from '../shell/host';

/** Shows who works now, since when, with the last sign of life; a lane that waits for a person has the card above. */
export function Workers({ mission: { view, locks } }: { readonly mission: ShownMission }): JSX.Element {
  const heldBy = (task: string): ShownMission['locks'] => locks.filter(({ holder }) => holder === task);
  const lanes = view.lanes.filter(({ intervention, memory }) => intervention === undefined && memory === undefined);
  const atWork = new Set(lanes.map(({ task_id }) => task_id));
  const others = locks.filter(({ holder }) => !atWork.has(holder));
  return (
    <Part name="workers" title={view.interrupted ? 'At work when it was interrupted' : 'At work now'}>
      {view.interrupted && lanes.some(({ left }) => left?.state === 'unknown') ? (
        <p class="dim">No process watches these workers now, so they may have ended.</p>
      ) : null}
      {lanes.length === 0 ? (
        <p class="dim">No worker is running.</p>
      ) : (
        <div class="lanes">
          {lanes.map((lane) => (
            <Lane key={lane.task_id} lane={lane} view={view} locks={heldBy(lane.task_id)} />
          ))}
        </div>
      )}
      {others.length === 0 ? null : (
        <ul class="plainList dim" data-section="locks" aria-label="Locks">
          {others.map(({ what, holder, since, heartbeat_at }) => (
            <li key={what}>
              Only <Text of={holder} /> may write <Text of={what} />
              {since === null ? null : <Since from={since} before=", locked for " />}
              {heartbeat_at === null ? null : (
                <>
                  , last sign of life <Since from={heartbeat_at} /> ago
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}

function Lane({
  lane,
  view,
  locks,
}: {
  readonly lane: LiveWorkerView;
  readonly view: ShownMission['view'];
  readonly locks: ShownMission['locks'];
}): JSX.Element {
  const { entry } = usePage();
  const last = lane.last_output_at ?? lane.last_progress_at;
  const { actions = [] } = lane;
  const used = view.tasks.find(({ task_id }) => task_id === lane.task_id)?.usage;
  return (
    <div
      class="lane"
      data-lane={lane.task_id}
      data-vscode-context={menuContext(menuSections.task, entry, view, lane.task_id)}
    >
      <div class="laneHead">
        <Text as="b" of={lane.task_id} />
        <span class="dim">
          {lane.purpose === 'verify' ? 'verify commands' : lane.worker}
          <Text of={lane.model === null ? null : ` · ${lane.model}`} />
        </span>
      </div>
      <p>
        {lane.stopping ? 'Stopping' : <Text of={lane.stage === 'running' ? lane.doing : lane.stage} />}
        {lane.attempt > 1 ? `, attempt ${lane.attempt}` : ''}
        {lane.started_at === null || (lane.left && lane.left.state !== 'runs') ? null : lane.left ? (
          <>
            , since <Moment at={lane.started_at} />
          </>
        ) : (
          <Since from={lane.started_at} before=", for " />
        )}
      </p>
      {lane.waits === undefined ? null : (
        <p>
          <Text as="b" of={lane.waits} />
        </p>
      )}
      {view.interrupted || lane.stopping ? null : <Silent lane={lane} />}
      {actions.length === 0 ? null : <Actions of={actions} />}
      <p class="dim laneFoot">
        {last === null ? (
          <span>{lane.purpose === 'verify' ? 'no output yet' : 'no sign of life yet'}</span>
        ) : (
          <span>
            last {lane.last_output_at === null ? 'progress' : 'output'}{' '}
            {view.interrupted ? (
              <>
                at <Moment at={last} />
              </>
            ) : (
              <>
                <Since from={last} /> ago
              </>
            )}
          </span>
        )}
        {actions.length > 0 || outputText(lane) === '' ? null : <span>{outputText(lane)}</span>}
        {used === undefined ? null : <span>{shortUsage(used)}</span>}
        {lane.confinement === null ? null : (
          <span title={`held by ${confinementWords[lane.confinement]}`}>{confinementShort[lane.confinement]}</span>
        )}
        {locks.map(({ what }) => (
          <span key={what} title={shown(`Only ${lane.task_id} may write ${what}`)}>
            may write <Text of={what} />
          </span>
        ))}
        {lane.run_dir === '' || inBrowser() ? null : (
          <OpenLink target={{ kind: 'terminal', task_id: lane.task_id }} label={`Show the terminal of ${lane.task_id}`}>
            Terminal
          </OpenLink>
        )}
      </p>
    </div>
  );
}

function Silent({ lane }: { readonly lane: LiveWorkerView }): JSX.Element | null {
  const text = silentText(lane, new Date(useNow(true)).toISOString());
  return text === null ? null : (
    <p class="warn">
      <Text of={text} />
    </p>
  );
}

/** Shows what its CLI reported last, one line each, the newest last. */
function Actions({ of }: { readonly of: NonNullable<LiveWorkerView['actions']> }): JSX.Element {
  return (
    <ol class="actions" aria-label="What it did last">
      {of.map(({ what, on }, index) => (
        <li key={`${index} ${what} ${on}`} title={shown(`${what} ${on}`)}>
          <Text as="span" class="dim" of={what} /> <Text as="span" class="code" of={on} />
        </li>
      ))}
    </ol>
  );
}
