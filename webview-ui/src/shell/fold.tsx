import { type ComponentChildren, type JSX, Component } from 'preact';
import { useFold } from './pageState';

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
