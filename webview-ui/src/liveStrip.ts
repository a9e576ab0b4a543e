import type { LiveWorkerView } from '../../src/contracts/missionView';
import { confinementWords } from '../../src/base/text/words';
import { el, since } from './dom';

/** Tasks and stages of several lanes are aligned; the other facts flow, because their number differs. */
export function liveStrip(live: LiveWorkerView): HTMLElement {
  const what = live.purpose === 'verify' ? 'Verifying' : live.worker;
  return el(
    'section',
    { class: live.intervention ? 'live awaited' : 'live', 'data-task': live.task_id },
    el('span', { class: 'dot', 'aria-hidden': 'true' }),
    el('strong', {}, `${live.task_id}: ${what}`),
    // How long it runs is told beside it.
    el('span', {}, live.stopping ? 'stopping' : live.stage === 'running' ? `phase ${live.phase}` : live.stage),
    el(
      'div',
      { class: 'muted lane-facts' },
      live.waits === undefined ? null : el('strong', {}, live.waits),
      live.pid === null ? null : el('span', {}, `process ${live.pid}`),
      live.model === null ? null : el('span', {}, live.model),
      live.confinement === null ? null : el('span', {}, `confined by ${confinementWords[live.confinement]}`),
      live.attempt > 1 ? el('span', {}, `attempt ${live.attempt}`) : null,
      since(live.started_at, 'running '),
      live.intervention || live.memory
        ? el('span', {}, live.intervention?.path === null ? 'the packet is being written' : 'nothing runs')
        : live.last_output_at === null
          ? (since(live.last_progress_at, 'last progress ', ' ago') ?? el('span', {}, 'last progress unknown'))
          : since(live.last_output_at, 'last output ', ' ago'),
      live.output_bytes === null
        ? null
        : el('span', {}, `${live.output_bytes.toLocaleString()} bytes of output${linesOf(live)}`),
    ),
  );
}

function linesOf({ output_lines: lines }: LiveWorkerView): string {
  if (lines === null || lines === 0) return '';
  return ` in ${lines.toLocaleString()} ${lines === 1 ? 'line' : 'lines'}`;
}
