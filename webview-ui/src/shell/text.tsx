import type { ComponentChildren, JSX } from 'preact';
import { page } from '../../../src/base/text/marked/page';
import { stepLine } from '../../../src/base/text/steps';
import { inBrowser, post } from './host';
import { usePage } from './pageState';
import type { Step } from '../../../src/contracts/vocabulary/steps';
import type { AskedCommand, OpenTarget } from '../../../src/contracts/page/panelMessages';

/** Characters; a longer text does not help on a page. Journal, evidence and packet hold all of it. */
const longest = 2000;

/** Shows text of a worker, a plan or a file with every character visible, set apart from its surroundings. */
export function Text({ of }: { readonly of: string }): JSX.Element {
  if (of.length <= longest) return <bdi>{shown(of)}</bdi>;
  return (
    <>
      <bdi>{shown(of.slice(0, longest))}</bdi> <span class="dim">… and {of.length - longest} more characters</span>
    </>
  );
}

/** The same as a string, for attributes. */
export function shown(text: string): string {
  return page`${text.length <= longest ? text : `${text.slice(0, longest)}…`}`.toString();
}

/** A code of a finding, a block or an end. */
export function CodeWord({ of }: { readonly of: string }): JSX.Element {
  return (
    <span class="code">
      <Text of={of} />
    </span>
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
}: {
  readonly command: AskedCommand;
  readonly children: ComponentChildren;
  readonly task?: string;
  readonly choice?: string;
}): JSX.Element | null {
  const { entry } = usePage();
  if (inBrowser()) return null;
  const about = { ...(task !== undefined && { task_id: task }), ...(choice !== undefined && { choice }) };
  return (
    <button
      type="button"
      class="ask"
      data-ask={command}
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
