import type { ComponentChildren, JSX } from 'preact';
import { Fold } from '../shell/fold';
import { Text } from '../shell/text';

/** Lines and characters that are read at a glance; the rest is folded, so that the next steps stay visible below. */
const glance = { lines: 4, characters: 400 } as const;
const shownAtMost = 100;

/** Shows why something failed, item by item. */
export function Details({
  name,
  of,
  whole,
}: {
  readonly name: string;
  readonly of: readonly string[];
  /** Shows all of them. */
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
      {of.map((line) => (
        <div key={line}>
          <Text of={line} />
        </div>
      ))}
    </pre>
  );
}
