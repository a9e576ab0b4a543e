import { createElement, Fragment, type ComponentChildren, type HTMLAttributes, type JSX, Component } from 'preact';
import { page } from '../../../src/base/text/marked/page';
import { stepLine } from '../../../src/base/text/steps';
import { inBrowser, post, usePage, useFold } from './host';
import type { Step } from '../../../src/contracts/vocabulary/steps';
import { choiceName, type AskedCommand } from '../../../src/contracts/page/panelMessages';
import type { OpenTarget } from '../../../src/contracts/page/pageMessage';
import { useEffect, useState } from 'preact/hooks';
import { clock } from '../../../src/base/text/amounts';

/** Characters; a longer text does not help on a page. Journal, evidence and packet hold all of it. */
const longest = 2000;

interface TextProps extends HTMLAttributes {
  /** Absent or null: nothing is drawn. */
  readonly of: string | null | undefined;
  readonly as?: 'b' | 'dd' | 'div' | 'dt' | 'li' | 'p' | 'small' | 'span';
}

/** Shows text of a worker, a plan or a file with every character visible, set apart from its surroundings. */
export function Text({ of, as, ...attributes }: TextProps): JSX.Element | null {
  if (of === null || of === undefined) return null;
  const text = <bdi>{shown(of.slice(0, longest))}</bdi>;
  const whole = of.length <= longest;
  const rest = whole ? null : <span class="dim"> … and {of.length - longest} more characters</span>;
  return createElement(as ?? Fragment, attributes, text, rest);
}

export function Texts({ of, ...looks }: { readonly of: readonly string[] } & Omit<TextProps, 'of'>): JSX.Element {
  return (
    <>
      {of.map((text) => (
        <Text key={text} of={text} {...looks} />
      ))}
    </>
  );
}

export function shown(text: string): string {
  return page`${text.length <= longest ? text : `${text.slice(0, longest)}…`}`.toString();
}

/** A code of a finding, a block or an end; nothing without one. */
export function CodeWord({ of }: Pick<TextProps, 'of'>): JSX.Element {
  return <Text as="span" class="code" of={of} />;
}

/** Shows the parts that there are, with a dot between two. */
export function Dotted({ of }: { readonly of: readonly (JSX.Element | false)[] }): JSX.Element {
  return <>{of.filter((part) => part !== false).map((part, index) => (index === 0 ? part : [' · ', part]))}</>;
}

export function FactList({ of }: { readonly of: readonly (readonly [string, TextProps['of']])[] }): JSX.Element {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <>
          {value === null || value === undefined ? null : <Text as="dt" of={name} />}
          <Text as="dd" of={value} />
        </>
      ))}
    </dl>
  );
}

/** Shows a path, an id or a command line; a word that does not fit goes whole to the next line. */
export function Code({ of }: { readonly of: string }): JSX.Element {
  const words = shown(of).split(' ');
  return (
    <code>
      {words.map((word, index) => (
        <>
          {index > 0 ? ' ' : ''}
          <span class="word">{word}</span>
        </>
      ))}
    </code>
  );
}

/** Opens something in the editor, or as text in a browser; no other element looks like it. */
export function OpenLink({
  target,
  children,
  label,
  title,
}: {
  readonly target: OpenTarget;
  readonly children: ComponentChildren;
  readonly label?: string;
  /** The whole text, for a place where it may be cut. */
  readonly title?: string;
}): JSX.Element {
  const { entry } = usePage();
  if (inBrowser() && (target.kind === 'file' || target.kind === 'terminal')) return <span>{children}</span>;
  return (
    <button
      type="button"
      class="link"
      data-open={target.kind}
      {...(label !== undefined && { 'aria-label': shown(label) })}
      {...(title !== undefined && { title: shown(title) })}
      onClick={() => post({ type: 'open', entry, target })}
    >
      {children}
    </button>
  );
}

/** Opens a command of the palette on what is shown, which asks before it does anything; nothing in a browser. */
export function AskButton({
  command,
  children,
  task,
  choice,
  title,
}: {
  readonly command: AskedCommand;
  readonly children: ComponentChildren;
  readonly task?: string;
  /** What its list offers first. */
  readonly choice?: string;
  /** What it does, where nothing beside the button says it. */
  readonly title?: string;
}): JSX.Element | null {
  const { entry } = usePage();
  if (inBrowser()) return null;
  const about = {
    ...(task !== undefined && { task_id: task }),
    ...(choice !== undefined && { choice: choiceName(choice) }),
  };
  return (
    <button
      type="button"
      class="ask"
      data-ask={command}
      {...(title !== undefined && { title: shown(title) })}
      onClick={() => post({ type: 'ask', entry, command, ...about })}
    >
      {children}
    </button>
  );
}

/** Shows a person's next steps, one a line, and command lines as code. */
export function Steps({ of }: { readonly of: readonly Step[] }): JSX.Element | null {
  if (of.length === 0) return null;
  return (
    <ul class="steps">
      {of.map((step) => {
        const line = stepLine(step);
        return <li key={line}>{step.command === 'mend' ? <Text of={line} /> : <Code of={line} />}</li>;
      })}
    </ul>
  );
}

/** A part that a person may unfold; it keeps its state through snapshots and reloads. */
export function Fold({
  name,
  title,
  children,
}: {
  readonly name: string;
  readonly title: string;
  readonly children: () => ComponentChildren;
}): JSX.Element {
  const [open, turn] = useFold(name);
  return (
    <div class="fold" data-fold={name}>
      <button type="button" class="foldTitle" aria-expanded={open} onClick={turn}>
        <span aria-hidden="true">{open ? '▾' : '▸'}</span> {title}
      </button>
      {open ? children() : null}
    </div>
  );
}

export function Part({
  name,
  title,
  aside,
  children,
}: {
  readonly name: string;
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <section class="part" data-section={name} aria-label={title}>
      <div class="partHead">
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

interface WholeProps {
  /** A person's name for it: `the tasks`. */
  readonly part: string;
  /** Another value tries to draw the part again. */
  readonly of: unknown;
  readonly children: ComponentChildren;
}
interface WholeState {
  readonly failed: string | null;
  readonly of: unknown;
}

/** The rest of the page stays, and the next snapshot tries again. */
export class Whole extends Component<WholeProps, WholeState> {
  override state: WholeState = { failed: null, of: this.props.of };

  static override getDerivedStateFromError(error: unknown): Partial<WholeState> {
    return { failed: error instanceof Error ? error.message : 'unknown' };
  }

  static override getDerivedStateFromProps({ of }: WholeProps, state: WholeState): WholeState {
    return of === state.of ? state : { failed: null, of };
  }

  override render(): ComponentChildren {
    if (this.state.failed === null) return this.props.children;
    return (
      <p class="card bad" data-section="failed" data-part={this.props.part}>
        The page could not draw {this.props.part} ({this.state.failed}). The mission itself is not touched by that:
        `mission status` in a terminal shows it. Please report what happened.
      </p>
    );
  }
}

let ahead = 0;
const clocks = new Set<() => void>();
setInterval(() => {
  for (const turn of clocks) turn();
}, 1000);

/** Sets the sender's time, from a snapshot, because the sender may have another clock. */
export function setNow(iso: string): void {
  const at = Date.parse(iso);
  if (!Number.isNaN(at)) ahead = at - Date.now();
}

/** The sender's time now, in milliseconds; redraws the calling component every second while `goesOn`. */
export function useNow(goesOn: boolean): number {
  const [, turn] = useState(0);
  useEffect(() => {
    if (!goesOn) return undefined;
    const next = (): void => turn((count) => count + 1);
    clocks.add(next);
    return () => {
      clocks.delete(next);
    };
  }, [goesOn]);
  return Date.now() + ahead;
}

/** Shows a running duration; screen readers do not announce every second. */
export function Since({ from, before = '' }: { readonly from: string; readonly before?: string }): JSX.Element {
  const now = useNow(true);
  return (
    <span role="timer" title={from}>
      {before}
      {clock(now - Date.parse(from))}
    </span>
  );
}

export function Moment({ at }: { readonly at: string }): JSX.Element {
  return (
    <time dateTime={at} title={at}>
      {momentText(at)}
    </time>
  );
}

/** `10:05:43` of today, else with its date; in the reader's time zone. */
export function momentText(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return 'unknown';
  const time = times.format(date);
  return date.toDateString() === new Date(Date.now() + ahead).toDateString() ? time : `${days.format(date)} ${time}`;
}

// Made once, because making one takes longer than everything else that a line of events costs.
const times = new Intl.DateTimeFormat([], { hour12: false, hour: 'numeric', minute: 'numeric', second: 'numeric' });
const days = new Intl.DateTimeFormat();
