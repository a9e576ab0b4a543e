import type { PanelView } from '../../src/contracts/page/panelView';

/** What a worker, a plan or a file may hold where the page shows text. */
export const hostileTexts = {
  markup:
    '<script>window.owned = 1</script><img src="x" onerror="window.owned = 1"><svg onload="window.owned = 1">' +
    '<a href="javascript:window.owned = 1">Approve</a> <a href="command:workbench.action.quit">Quit</a> ' +
    '[Run](command:missionControl.run) ${window.owned = 1} {{owned}} &lt;b&gt; <style>* { display: none }</style>',
  control:
    'bell\u0007 escape\u001b[31mred\u001b[0m null\u0000 back\u0008 return\rover\u0085 \u200bnothing\u2028line\ufeff',
  direction: 'invoice\u202egpj.exe\u202c \u2066isolated\u2069 \u200fright \u061cmark \u202dleft\u202c',
  word: 'W'.repeat(10_000),
} as const;

/** A single line of a megabyte. */
export const longLine = 'a line without an end '.repeat(50_000);

/** Places where the contract knows every value, or that name something: their texts are no free ones. */
const known = new Set([
  ...['schema_version', 'group', 'kind', 'state', 'standing', 'status', 'execution', 'owner', 'severity', 'source'],
  ...['outcome', 'result', 'purpose', 'worker', 'confinement', 'mode', 'role', 'tier', 'permission', 'id', 'point'],
  ...['mission_id', 'task_id', 'packet_id', 'depends_on', 'waits_for', 'offers', 'metadata', 'allowed_outcomes'],
  ...['plan_sha256', 'category', 'choices', 'at', 'actor_kind'],
]);

/** The view with that text in every free text; a text that says where it stands, before it. */
export function withEverywhere(panel: PanelView, text: string): PanelView {
  const put = (value: unknown, key: string): unknown => {
    if (known.has(key)) return value;
    if (typeof value === 'string') return isTime(value) ? value : `${key} ${text}`;
    if (Array.isArray(value)) return value.map((one) => put(one, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, put(one, name)]));
  };
  return put(panel, '') as PanelView;
}

/** The view with that text at some places: a megabyte in each would be more than a message holds. */
export function withOnce(panel: PanelView, text: string, keys: readonly string[]): PanelView {
  const left = new Set(keys);
  return JSON.parse(JSON.stringify(panel), (key, value: unknown) =>
    typeof value === 'string' && left.delete(key) ? `${key} ${text}` : value,
  ) as PanelView;
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text);
}
