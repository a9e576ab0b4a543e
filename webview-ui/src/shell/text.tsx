import { createElement, Fragment, type ComponentChildren, type HTMLAttributes, type JSX } from 'preact';
import { page } from '../../../src/base/text/marked/page';
import { stepLine } from '../../../src/base/text/steps';
import { inBrowser, post } from './host';
import { usePage } from './pageState';
import type { Step } from '../../../src/contracts/vocabulary/steps';
import { choiceName, type AskedCommand } from '../../../src/contracts/page/panelMessages';
import type { OpenTarget } from '../../../src/contracts/page/pageMessage';

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
