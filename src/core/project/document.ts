import { projectFields, type ProjectField } from './fields';

export type ProjectValues = Readonly<Record<string, string | boolean | readonly string[]>>;

/** ai.project.json with these values; what is not among them is as in a new file, or empty. Ends with a line feed. */
export function projectText(values: ProjectValues): string {
  const document: Record<string, unknown> = {};
  for (const field of projectFields) {
    const keys = field.name.split('.');
    const last = keys.pop() ?? '';
    let at = document;
    for (const key of keys) at = (at[key] ??= {}) as Record<string, unknown>;
    at[last] = values[field.name] ?? field.standard ?? (field.holds === 'list' ? [] : '');
  }
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** The fields that a person has to fill in, because nothing says what they hold. */
export function openFields(values: ProjectValues): readonly ProjectField[] {
  return projectFields.filter(
    ({ name, must, standard }) => must === 'be_filled' && (values[name] ?? standard ?? '') === '',
  );
}

/** A person's text as the value of a field; `why`: what is wrong with it. */
export function projectValue(
  { holds, choices }: ProjectField,
  text: string,
):
  | { readonly ok: true; readonly value: string | boolean | readonly string[] }
  | { readonly ok: false; readonly why: string } {
  const said = text.trim();
  switch (holds) {
    case 'flag':
      return said === 'true' || said === 'false'
        ? { ok: true, value: said === 'true' }
        : { ok: false, why: 'it is true or false' };
    case 'list': {
      const items = said.split(',').map((item) => item.trim());
      return { ok: true, value: items.filter((item) => item !== '') };
    }
    case 'text':
      if (said === '') return { ok: false, why: 'it is empty' };
      return choices && !choices.includes(said)
        ? { ok: false, why: `it is one of ${choices.join(', ')}` }
        : { ok: true, value: said };
  }
}
