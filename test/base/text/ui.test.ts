import assert from 'node:assert/strict';
import { ui, withoutIcons, withoutLinks } from '../../../src/base/text/ui';

/** What VS Code looks for: `parseLinkedText` and `renderLabelWithIcons`. */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;
const icon = /(\\)?\$\(([a-z0-9-]+(?:~[a-z]+)?)\)/gi;
/** A label as VS Code draws it; an icon stands as `<name>`. */
const drawn = (label: string): string =>
  label.replace(icon, (_, escaped: string | undefined, name: string) => (escaped ? `$(${name})` : `<${name}>`));

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
      assert.equal(shown.replaceAll(String.raw`]\(`, ']('), `${a}${b}`);
    }
    assert.equal(withoutLinks('app/[id] (new)'), 'app/[id] (new)');
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
