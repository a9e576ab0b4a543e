/**
 * Arguments that would switch a CLI's safety off, wherever they come from (decisions.md section 3: such modes
 * are never emitted). Returns the offending arguments; an empty list means the line may be used. Matching is
 * broad on purpose: a harmless argument that happens to contain one of these words is refused, not guessed at.
 */
export function forbiddenArguments(args: readonly string[]): string[] {
  const found: string[] = [];
  args.forEach((arg, index) => {
    const previous = index > 0 ? (args[index - 1] ?? '') : '';
    if (isForbidden(arg, previous)) found.push(arg);
  });
  return found;
}

/** Claude, Codex and Gemini spell them differently; case, dashes and underscores do not save them. */
const forbiddenWords = [
  'dangerously', // --dangerously-skip-permissions, --dangerously-bypass-approvals-and-sandbox, --dangerously-bypass-hook-trust
  'dangerfullaccess', // codex -s danger-full-access, sandbox_mode=…, :danger-full-access
  'dangernosandbox',
  'bypasspermissions', // claude --permission-mode, settings defaultMode
  'allowdangerous',
];

/** `-c` keys of codex that choose its sandbox: the launch line does that, so any value is refused. */
const forbiddenConfigKeys = [
  'sandbox_mode',
  'sandbox_permissions',
  'default_permissions',
  'permissions',
  'approval_policy',
];

function isForbidden(arg: string, previous: string): boolean {
  const lower = arg.toLowerCase();
  const squeezed = squeeze(lower);
  if (forbiddenWords.some((word) => squeezed.includes(word))) return true;
  return isYolo(lower, squeezed, squeeze(previous.toLowerCase())) || isSandboxConfig(lower, previous);
}

/** `--yolo`, `--yolo=true`, `-y`, `-dy`, `--approval-mode yolo`, `--approvalMode=yolo`. */
function isYolo(lower: string, squeezed: string, previous: string): boolean {
  if (/^-{1,2}(?:yolo|y)(?:=|$)/.test(lower) || /^-[a-z]{0,3}y[a-z]{0,3}$/.test(lower)) return true;
  return (
    squeezed === 'yolo' || squeezed.endsWith('=yolo') || (previous === 'approvalmode' && squeezed.includes('yolo'))
  );
}

function isSandboxConfig(lower: string, previous: string): boolean {
  const attached = /^(?:-c=?|--config=)(.+)$/s.exec(lower);
  const assignment = attached?.[1] ?? (previous === '-c' || previous === '--config' ? lower : null);
  if (assignment === null) return false;
  const key = (assignment.split('=', 1)[0] ?? '').replaceAll(/["'\s]/g, '');
  return key.split('.').some((part) => forbiddenConfigKeys.includes(part));
}

function squeeze(text: string): string {
  return text.replaceAll(/[-_\s"':]/g, '');
}
