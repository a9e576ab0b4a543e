import type { JSX, ComponentChildren } from 'preact';
import { answerWords, askedSentence, shownCode, taskWord } from '../../../src/base/text/words';
import { menuSections } from '../../../src/contracts/page/menuKeys';
import { possibleSteps, standingLines, type BlockView, type WayView } from '../../../src/contracts/page/blockView';
import type { ShownMission } from '../../../src/contracts/page/panelView';
import { shownWait } from '../../../src/contracts/vocabulary/waits';
import { inBrowser, usePage } from '../shell/host';
import { menuContext } from '../shell/menus';
import { AskButton, CodeWord, OpenLink, Text, Texts, shown, Fold, Moment, useNow } from '../shell/text';
import { WhatYouCanDo } from './attention';

/**
 * Shows a block. What happened, what each outcome does and what to do next is visible without scrolling. Below is what
 * is not possible now, and why. Details for people in a terminal are folded.
 */
export function Decision({
  block,
  view,
}: {
  readonly block: BlockView;
  readonly view: ShownMission['view'];
}): JSX.Element {
  const { entry } = usePage();
  const task = view.tasks.find(({ task_id }) => task_id === block.task_id);
  const asks = block.question !== undefined;
  const all = block.ways.filter(({ step }) => step.command !== 'answer');
  const ways = all.filter(({ helps, outcome }) => helps ?? outcome);
  const open = all.filter(({ refused }) => !refused);
  const review =
    inBrowser() || view.runs_on !== undefined || !changed.has(block.category) ? null : (
      <OpenLink target={{ kind: 'diff', task_id: block.task_id }}>Review Changes</OpenLink>
    );
  return (
    <section
      class={asks ? 'card asks' : 'card bad'}
      data-section="decision"
      data-task={block.task_id}
      aria-label={shown(`Decide about task ${block.task_id}`)}
      data-vscode-context={menuContext(menuSections.task, entry, view, block.task_id)}
    >
      <h2 class="plain">
        {titleOf(block)} task <Text of={block.task_id} />: it {asks ? '' : 'is '}
        {taskWord({ ...block, asks, status: 'blocked' })} <CodeWord of={shownCode({ ...block, asks })} />
      </h2>
      <Question block={block} review={review} />
      {asks ? null : (
        <p class="reason">
          <b>What happened.</b> <Text of={block.reason} />
          {task?.verification === undefined ? null : (
            <span class="dim">
              {' '}
              Verification: <Text of={task.verification} />
            </span>
          )}{' '}
          {review}
        </p>
      )}
      <Details name={`details ${block.packet_id}`} of={block.details} whole={<Packet block={block} />} />
      <Text as="p" of={block.orchestrator} />
      <LimitEnds block={block} />
      {standingLines(block, view.interrupted).map((line, index) => (
        <p key={index}>
          {line.map((part, at) =>
            typeof part === 'string' ? <Text key={at} of={part} /> : <Moment key={at} at={part.at} />,
          )}
        </p>
      ))}
      <WhatYouCanDo
        steps={possibleSteps(block)}
        palette={`Mission Control: ${asks ? 'Answer Question or ' : ''}Resolve Blocker`}
        folded={{ name: `steps ${block.packet_id}`, more: <Safe ways={ways} /> }}
      >
        <Possible ways={ways.filter(({ refused }) => !refused)} task={block.task_id} />
        {open.length === 0 ? null : <Others ways={open.filter((way) => !ways.includes(way))} task={block.task_id} />}
      </WhatYouCanDo>
      <Impossible ways={ways.filter(({ refused }) => refused)} />
      <p class="dim">
        <Packet block={block} />{' '}
        {inBrowser() || block.no_output ? null : (
          <OpenLink target={{ kind: 'output', packet_id: block.packet_id }}>Open its whole output</OpenLink>
        )}{' '}
        Issued <Moment at={block.issued_at} />
        {block.category === null || asks ? '' : `, ${block.category}`}, attempt {block.attempt}.
      </p>
    </section>
  );
}

const changed: ReadonlySet<BlockView['category']> = new Set([
  'external_change',
  'verify_changed_files',
  'stray_write',
  'awaiting_user',
]);

function titleOf(block: BlockView): string {
  const { question, decided, state } = block;
  if (question) return 'Answer a question of';
  if (decided !== undefined) return state === 'left_blocked' ? 'You can still decide about' : 'Go on with';
  return shownWait(block)?.words.heading ?? 'Decide about';
}

/** The reason has the words of the CLI, often in another time zone. */
function LimitEnds({ block: { limit_ends, goes_on_at } }: { readonly block: BlockView }): JSX.Element | null {
  const at = limit_ends?.at ?? null;
  const now = useNow(at !== null);
  if (at === null || goes_on_at !== undefined) return null;
  return (
    <p>
      The limit of its provider {Date.parse(at) > now ? 'ends' : 'ended'} at <Moment at={at} />.
    </p>
  );
}

function Packet({ block: { packet_id, packet_path, packet_away } }: { readonly block: BlockView }): JSX.Element | null {
  if (packet_away) return null;
  if (packet_path === null) return <>The recovery packet is being written.</>;
  return <OpenLink target={{ kind: 'packet', packet_id }}>Open the recovery packet</OpenLink>;
}

function Question({
  block: { task_id, question },
  review,
}: {
  readonly block: BlockView;
  readonly review: JSX.Element | null;
}): JSX.Element | null {
  if (!question) return null;
  return (
    <div class="question">
      <p>
        <Text as="b" of={askedSentence({ task_id, question })} />
      </p>
      <ul>
        {question.choices.map(({ id, text }) => (
          <li key={id}>
            <Text as="span" class="code" of={id} />{' '}
            {inBrowser() ? (
              <Text of={text} />
            ) : (
              <AskButton command="answerQuestion" task={task_id} choice={id}>
                <Text of={text} />
              </AskButton>
            )}
          </li>
        ))}
      </ul>
      <p>
        <AskButton command="answerQuestion" task={task_id}>
          {question.choices.length === 0 ? 'Answer…' : 'Answer in Words…'}
        </AskButton>{' '}
        {review}
      </p>
      <Text as="p" of={answerWords(question.leads_to)} />
    </div>
  );
}

interface WaysProps {
  readonly ways: readonly WayView[];
  readonly task: string;
}

/** Keeps the order of the view, which has the recommended way first. */
function Possible({ ways, task }: WaysProps): JSX.Element {
  return (
    <dl class="outcomes">
      {ways.map(({ outcome, label, does, recommended }) => (
        <div key={label} data-outcome={outcome} data-recommended={recommended}>
          <dt title={outcome}>{inBrowser() ? <Text of={label} /> : <WayButton label={label} task={task} />}</dt>{' '}
          <dd>
            {recommended ? <span class="tag">Recommended.</span> : null} <Text of={does} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Shows as buttons alone what can be done about any block. */
function Others({ ways, task }: WaysProps): JSX.Element | null {
  if (inBrowser()) return null;
  return (
    <p class="waysOut">
      {ways.map(({ label, does }) => (
        <WayButton key={label} label={label} task={task} title={does} />
      ))}
      <AskButton command="resolveBlocker" task={task}>
        All Choices…
      </AskButton>
    </p>
  );
}

function WayButton({
  label,
  ...about
}: {
  readonly label: string;
  readonly task: string;
  readonly title?: string;
}): JSX.Element {
  return (
    <AskButton command="resolveBlocker" choice={label} {...about}>
      <bdi>{shown(label)}</bdi>…
    </AskButton>
  );
}

function Impossible({ ways }: { readonly ways: readonly WayView[] }): JSX.Element | null {
  if (ways.length === 0) return null;
  return (
    <ul class="impossible" aria-label="Not possible now">
      {ways.map(({ outcome, label, refused }) => (
        <li key={label} data-outcome={outcome} title={outcome}>
          <Text as="b" of={label} /> is not possible now. <Text of={refused?.reason} />
        </li>
      ))}
    </ul>
  );
}

function Safe({ ways }: { readonly ways: readonly WayView[] }): JSX.Element {
  return (
    <ul class="safe dim">
      {ways.map(({ outcome, safe_when }) =>
        safe_when === undefined ? null : (
          <li key={outcome}>
            {outcome} is safe when <Text of={lowerFirst(safe_when)} />
          </li>
        ),
      )}
    </ul>
  );
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Lines and characters that are read at a glance; the rest is folded, so that the next steps stay visible below. */
const glance = { lines: 4, characters: 400 } as const;
const shownAtMost = 100;

function Details({
  name,
  of,
  whole,
}: {
  readonly name: string;
  readonly of: readonly string[];
  readonly whole: ComponentChildren;
}): JSX.Element | null {
  if (of.length === 0) return null;
  const count = atAGlance(of);
  const rest = of.slice(count);
  return (
    <>
      <Lines of={of.slice(0, count)} />
      {rest.length === 0 ? null : (
        <Fold name={name} title={`${rest.length} more ${rest.length === 1 ? 'line' : 'lines'} of what happened`}>
          {() => (
            <>
              <Lines of={rest.slice(0, shownAtMost)} />
              {rest.length > shownAtMost ? (
                <p>
                  and {rest.length - shownAtMost} more. {whole}
                </p>
              ) : null}
            </>
          )}
        </Fold>
      )}
    </>
  );
}

/** At least one line. */
function atAGlance(of: readonly string[]): number {
  let characters = 0;
  const over = of.findIndex((line, index) => {
    characters += line.length;
    return index === glance.lines || (index > 0 && characters > glance.characters);
  });
  return over === -1 ? of.length : over;
}

function Lines({ of }: { readonly of: readonly string[] }): JSX.Element {
  return (
    <pre class="details">
      <Texts as="div" of={of} />
    </pre>
  );
}
