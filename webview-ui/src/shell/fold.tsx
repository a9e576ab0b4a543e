import type { ComponentChildren, JSX } from 'preact';
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

/** A part of the page with its heading. */
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
