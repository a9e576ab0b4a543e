import type { ComponentChildren, JSX } from 'preact';
import type { Step } from '../../../src/contracts/vocabulary/steps';
import type { ShownMission } from '../../../src/contracts/page/panelView';
import { Fold, AskButton, CodeWord, Steps, Text, Texts } from '../shell/text';
import { inBrowser } from '../shell/host';

export function Attention({ mission: { view, palette } }: { readonly mission: ShownMission }): JSX.Element | null {
  const { attention, next = [] } = view;
  const waits = view.lanes.filter(({ intervention, memory }) => intervention ?? memory);
  if (attention?.next === undefined && next.length === 0 && waits.length === 0) return null;
  const steps = attention?.next ?? next;
  return (
    <section class={cardLook(view)} data-section="attention" aria-label="What you can do">
      {attention ? (
        <h2 class="plain">
          {view.needs === 'answer' ? 'The mission asks you' : 'The mission waits for you'}{' '}
          <CodeWord of={view.needs === 'answer' ? null : attention.code} />
        </h2>
      ) : null}
      <Text as="p" of={attention?.reason === view.headline ? null : attention?.reason} />
      {waits.map(({ task_id, intervention, memory }) => (
        <div key={task_id}>
          {intervention ? (
            <>
              <p>
                The result of <b>{task_id}</b> is incomplete:
              </p>
              <ul>
                <Texts as="li" of={intervention.missing} />
              </ul>
              <AskButton command="completeIntervention" task={task_id}>
                Complete Result…
              </AskButton>
            </>
          ) : null}
          {memory ? (
            <>
              <p>
                <b>{task_id}</b> proposes to remember, which a person confirms:
              </p>
              <ul>
                {memory.map(({ name, decision, rationale, conflict, current }) => (
                  <li key={name}>
                    <Text of={name} />: <Text of={decision} /> <Text as="span" class="dim" of={rationale} />
                    {conflict && current ? (
                      <>
                        {' '}
                        <b>Contradicts</b> what is remembered: <Text of={current.decision} />
                      </>
                    ) : null}
                  </li>
                ))}
              </ul>
              <AskButton command="confirmMemory" task={task_id}>
                Decide What Is Remembered…
              </AskButton>
            </>
          ) : null}
        </div>
      ))}
      {steps.length > 0 ? <WhatYouCanDo steps={steps} palette={palette} /> : null}
    </section>
  );
}

function cardLook({ attention, needs }: ShownMission['view']): string {
  if (!attention) return 'card';
  return needs === 'answer' ? 'card asks' : 'card bad';
}

/** Parts of a decision that may be folded, because only people who decide in a terminal look them up. */
interface Folded {
  readonly name: string;
  readonly more: ComponentChildren;
}

/** Shows the same steps for the palette and as command lines. Without VS Code only the command lines work. */
export function WhatYouCanDo({
  steps,
  palette,
  folded,
  children,
}: {
  readonly steps: readonly Step[];
  /** Absent: the palette has none of them. */
  readonly palette: string | undefined;
  readonly folded?: Folded;
  readonly children?: ComponentChildren;
}): JSX.Element {
  const lines = (): JSX.Element => (
    <>
      <Steps of={steps} />
      {folded?.more}
    </>
  );
  const isFolded = folded !== undefined && !inBrowser();
  return (
    <>
      <p>
        <b>What you can do</b>
        {palette === undefined ? null : isFolded ? (
          <>
            . <Text of={palette} /> asks step by step, {places}.
          </>
        ) : (
          <Ways palette={palette} />
        )}
      </p>
      {children}
      {isFolded ? (
        <Fold name={folded.name} title="As command lines, and when each outcome is safe">
          {lines}
        </Fold>
      ) : (
        lines()
      )}
    </>
  );
}

const places = 'in the title bar, a context menu or the palette';

function Ways({ palette }: { readonly palette: string }): JSX.Element {
  const named = <Text of={palette} />;
  return inBrowser() ? (
    <>: in a terminal as below, or in VS Code {named}.</>
  ) : (
    <>
      : {named}, {places}. Or:
    </>
  );
}
