/**
 * The settings of a `config` file that make git start a program or read another place: one `section.key=value` each, in
 * order. People and tools change all other settings (a remote, an upstream, a name) in passing.
 */
export function programSettings(text: string): readonly string[] {
  const found: string[] = [];
  let section = '';
  for (const line of text.replaceAll(/\\\r?\n/g, '').split(/\r?\n/)) {
    const header = /^\s*\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)"\s*)?\](.*)$/.exec(line);
    const [, name = '', sub, rest = line] = header ?? [];
    if (header) section = sub === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${sub}`;
    const [, key, value = ''] = /^\s*([A-Za-z][\w-]*)\s*(?:=(.*))?$/.exec(rest) ?? [];
    if (key === undefined) continue;
    const setting = `${section}.${key.toLowerCase()}`;
    if (programs.test(setting) && !(setting === 'core.fsmonitor' && isSwitch.test(value.trim())))
      found.push(`${setting}=${value.trim()}`);
  }
  return found;
}

/** A value of `core.fsmonitor` that starts git itself or nothing. */
const isSwitch = /^(?:true|false|yes|no|on|off|[01])?$/i;

const programs = new RegExp(
  `^(?:${[
    String.raw`core\.(?:hookspath|fsmonitor|sshcommand|editor|pager|askpass|gitproxy|attributesfile|alternaterefscommand)`,
    String.raw`(?:alias|pager)\..+`,
    String.raw`filter\..+\.(?:clean|smudge|process)`,
    String.raw`diff\.(?:external|.+\.(?:command|textconv))`,
    String.raw`merge\..+\.driver`,
    String.raw`(?:difftool|mergetool|man|browser)\..+\.(?:cmd|path)`,
    String.raw`include(?:if\..+)?\.path`,
    String.raw`credential\.(?:.+\.)?helper`,
    String.raw`gpg\.(?:.+\.)?(?:program|defaultkeycommand)`,
    String.raw`(?:sequence\.editor|interactive\.difffilter|uploadpack\.packobjectshook)`,
    String.raw`remote\..+\.(?:uploadpack|receivepack|vcs)`,
    String.raw`url\..+\.(?:insteadof|pushinsteadof)`,
    String.raw`submodule\..+\.update`,
  ].join('|')})$`,
  's',
);
