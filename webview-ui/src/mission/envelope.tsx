import type { JSX } from 'preact';
import type { EnvelopeStep } from '../../../src/contracts/page/panelView';
import { Text, shown } from '../shell/text';

const standings = { done: 'done', now: 'now', broken: 'broken here', ended: 'ended here', todo: 'to come' } as const;

/** The states of the execution envelope as one thin line, marked where it broke. */
export function Envelope({ steps }: { readonly steps: readonly EnvelopeStep[] }): JSX.Element {
  return (
    <ol class="envelope" data-section="envelope" aria-label="Execution envelope">
      {steps.map(({ state, standing, note }) => (
        <li key={state} title={shown(`${state} ${note}`)} class={standing} data-standing={standing}>
          <span class="state">{state}</span>
          <span class="hidden"> {standings[standing]}</span>
          {note === '' ? null : (
            <small>
              {' '}
              <Text of={note} />
            </small>
          )}
        </li>
      ))}
    </ol>
  );
}
