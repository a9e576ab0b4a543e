import assert from 'node:assert/strict';
import { ui, withoutIcons, withoutLinks } from '../../../../src/base/text/marked/ui';

/** What VS Code looks for: `parseLinkedText` and `renderLabelWithIcons`. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;
const icon = /(\\)?\$\(([a-z0-9-]+(?:~[a-z]+)?)\)/gi;
/** A label as VS Code draws it; an icon stands as `<name>`. */
const drawn = (label: string): string =>
  label.replace(icon, (_, escaped: string | undefined, name: string) => (escaped ? `$(${name})` : `<${name}>`));
/** The text that a person sees of it: VS Code gives the space between two words that has no width no room. */
const seen = (text: string): string => text.replaceAll('\u200b', '');

describe('text for what the editor draws', () => {
  it('is one line in which every character can be seen', () => {
    const reason = 'done\n\u202egnp.exe\u0007\u{e0041}';
    assert.equal(
      ui`Mission failed: ${reason}`.toString(),
      String.raw`Mission failed: done\n\u202egnp.exe\x07\u{e0041}`,
    );
    assert.equal(ui.lines(['a\nb', ui`c`]).toString(), 'a\\nb\nc');
  });

  it('has no links, wherever their parts come from', () => {
    for (const [a, b] of [
      ['[click](command:workbench.action.closeWindow)', ''],
      ['[click](https://example.org "title")', ''],
      ['[[x](file:///etc/passwd)', ''],
      ['[click]', '(command:quit)'],
      ['[cl', 'ick](COMMAND:quit)'],
      [']](http://a)', '[[x](http://b)'],
    ] as const) {
      const shown = withoutLinks(ui`${a}${b}`.toString());
      assert.deepEqual(shown.match(link), null, shown);
      assert.equal(seen(shown), `${a}${b}`, 'a person sees another text');
    }
  });

  it('stays as it is where VS Code makes no link of it', () => {
    for (const text of ['app/[id] (new)', 'app/[id](new)/page.tsx', 'app/[id](..)photo', 'see [how](docs/how.md)'])
      assert.equal(withoutLinks(ui`${text}`.toString()), text);
  });

  it('has no icons, and is drawn exactly as it is', () => {
    for (const [a, b] of [
      ['$(error) all failed', ''],
      ['$(sync~spin)$(check)', ''],
      ['$', '(check)'],
      ['$(che', 'ck)'],
      [String.raw`\$(check)`, ''],
      ['$$(check)', ''],
      ['costs $(a b)', ' and $5'],
    ] as const)
      assert.equal(drawn(withoutIcons(ui`${a}${b}`.toString())), `${a}${b}`);
  });
});
